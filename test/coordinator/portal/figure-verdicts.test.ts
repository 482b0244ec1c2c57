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

/** What the card of compute says beside its figure, the verdict of the page, and what the list and its files say of the job. */
async function shownOf(
  user: TestUser,
  job: MadeJob,
): Promise<Record<'card' | 'verdict' | 'grade' | 'performance', string>> {
  const it = browser(app);
  await it.signIn(user.email, user.password);
  const page = (await (await it.get(`/jobs/${job.id}`)).text()).replaceAll(/\s+/g, ' ').replaceAll('&#39;', "'");
  const [card = ''] = /<h3>Compute<\/h3>.*?<\/li>/.exec(page) ?? [];
  const [, words = ''] = /<\/svg> <p>([^<]*)<\/p>/.exec(card) ?? [];
  const [, verdict = ''] = /<p class="verdict">.*?<span>([^<]*)</.exec(page) ?? [];
  const list = (await (await it.get('/jobs')).text()).replaceAll(/\s+/g, ' ');
  assert.ok(list.includes(`<span>${verdict}</span>`), 'the list says the same');
  const [row] = ((await (await it.get('/jobs.json')).json()) as { results: { verdict: string; performance: string }[] })
    .results;
  return { card: words, verdict, grade: row?.verdict ?? '', performance: row?.performance ?? '' };
}

test('the card of a figure has its reference, and the page and the list the same verdict, which finds a job low by the rule that lists it as underperforming', async () => {
  const good = { verdict: 'No problem found in 8 GPUs and 56 links', grade: 'good', performance: 'nominal' };
  // 65 to 80 % of the 989.4 TFLOP/s of the data sheet are 643 to 792.
  const alone = await makeUser(app);
  const healthy = 'healthy cards of this model: 643 to 792';
  assert.deepEqual(await shownOf(alone, await measured(alone, { bf16: 700 })), { ...good, card: healthy });
  for (let n = 0; n < 5; n += 1) {
    const rival = await makeUser(app);
    await measured(rival, { bf16: 700 });
    await measured(rival, { bf16: 700 });
  }
  app.clock.advance({ minutes: 11 });
  // 644 / 700 is 0.92, below the 0.93 that healthy machines with one card differ by.
  const slow = await makeUser(app);
  assert.deepEqual(await shownOf(slow, await measured(slow, { bf16: 644 })), {
    card: 'others with this model: 700, 11 machines',
    verdict: '1 problem: 1 to check',
    grade: 'check',
    performance: 'underperforming',
  });
  const usual = await makeUser(app);
  assert.deepEqual(await shownOf(usual, await measured(usual, { bf16: 672 })), {
    ...good,
    card: 'others with this model: 700, 12 machines',
  });
});
