import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import { makeJob, Node, type MadeJob } from '../jobs/node.ts';
import type { Device } from '../jobs/upload.ts';
import { browser } from './browser-session.ts';
import { eightGpus, ofTier } from './world.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });

async function measured(user: TestUser, device: Device): Promise<MadeJob> {
  const job = await makeJob(app, user, { node_count: 1 });
  const node = new Node(app, job);
  await node.register();
  await node.results(node.result(ofTier(eightGpus(node.machineUuid, 0, device))));
  await node.complete();
  return job;
}

/** Shape and words of the verdict on a card of the job's page. */
async function cardOf(user: TestUser, job: MadeJob, name: string): Promise<{ page: string; list: string }> {
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const page = await (await it.get(`/jobs/${job.id}`)).text();
  const [card = ''] = new RegExp(`<h3>${name}, per GPU</h3>[^]*?</li>`).exec(page) ?? [];
  const [, tone = ''] = /class="st (\w+)"/.exec(card) ?? [];
  const [, words = ''] = /<\/svg><span>([^<]*)/.exec(card) ?? [];
  const list = (await (await it.get('/jobs.json')).json()) as { results: { performance: string }[] };
  return { page: `${tone}: ${words}`, list: list.results[0]?.performance ?? '' };
}

test('the job page marks a figure as low by the same rule that lists the job as underperforming', async () => {
  const bf16 = 'bf16 matrix multiply';
  // A healthy H100 reached 677 TFLOP/s by the library, and cards of one model are up to 11 % apart.
  const alone = await makeUser(app);
  const library = (value: number): Device => ({ bf16: value, engine: 'vendor' });
  assert.deepEqual(await cardOf(alone, await measured(alone, library(600)), bf16), {
    page: 'warn: 61 % of the data-sheet peak (989); a healthy card reaches 677, low below 0.89 of that',
    list: 'underperforming',
  });
  assert.deepEqual(await cardOf(alone, await measured(alone, library(700)), bf16), {
    page: 'ok: 71 % of the data-sheet peak (989); a healthy card reaches 677',
    list: 'nominal',
  });
  // A share of a peak alone is never a good sign, and says why.
  const { page } = await cardOf(alone, await measured(alone, { bf16: 700, engine: 'own' }), bf16);
  assert.match(
    page,
    /^none: 71 % of the data-sheet peak \(989\); healthy cards of this model were measured with the vendor/,
  );
  for (let n = 0; n < 5; n += 1) {
    const rival = await makeUser(app);
    await measured(rival, { bf16: 700 });
    await measured(rival, { bf16: 700 });
  }
  app.clock.advance({ minutes: 11 });
  const slow = await makeUser(app);
  assert.deepEqual(await cardOf(slow, await measured(slow, { bf16: 644 }), bf16), {
    page: 'warn: 0.92 of expected, low below 0.93, 12 machines',
    list: 'underperforming',
  });
  const usual = await makeUser(app);
  assert.deepEqual(await cardOf(usual, await measured(usual, { bf16: 672 }), bf16), {
    page: 'ok: 0.96 of expected, 13 machines',
    list: 'nominal',
  });
});
