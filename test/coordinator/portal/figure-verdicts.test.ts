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
  const [, words = ''] = /<p>((?:\d+ %|only)[^<]*)<\/p>/.exec(card) ?? [];
  const [, verdict = ''] = /<p class="verdict">.*?<span>([^<]*)</.exec(page) ?? [];
  const list = (await (await it.get('/jobs')).text()).replaceAll(/\s+/g, ' ');
  assert.ok(list.includes(`<span>${verdict}</span>`), 'the list says the same');
  const [row] = ((await (await it.get('/jobs.json')).json()) as { results: { verdict: string; performance: string }[] })
    .results;
  return { card: words, verdict, grade: row?.verdict ?? '', performance: row?.performance ?? '' };
}

test('the card of a figure has its reference, and the page and the list the same verdict, which finds a job low by the rule that lists it as underperforming', async () => {
  const good = { verdict: 'No problem found in 8 GPUs and 56 links', grade: 'good', performance: 'nominal' };
  // A healthy H100 reached 677 TFLOP/s by the library, and cards of one model are up to 11 % apart.
  const alone = await makeUser(app);
  const library = (bf16: number): Device => ({ bf16, engine: 'vendor' });
  assert.deepEqual(await shownOf(alone, await measured(alone, library(700))), {
    ...good,
    card: '71 % of the data-sheet peak (989); 103 % of a healthy card (677)',
  });
  const { verdict, ...low } = await shownOf(alone, await measured(alone, library(600)));
  assert.match(verdict, /^\d problems?: \d to check$/);
  assert.deepEqual(low, {
    card: '61 % of the data-sheet peak (989); 89 % of a healthy card (677)',
    grade: 'check',
    performance: 'underperforming',
  });
  // Only a peak is known for our kernels: no bar, no verdict, and the reason.
  const own = await measured(alone, { bf16: 700, engine: 'own' });
  const { card } = await shownOf(alone, own);
  assert.match(card, /^71 % of the data-sheet peak \(989\); healthy cards of this model were measured with the vendor/);
  for (let n = 0; n < 5; n += 1) {
    const rival = await makeUser(app);
    await measured(rival, { bf16: 700 });
    await measured(rival, { bf16: 700 });
  }
  app.clock.advance({ minutes: 11 });
  // 644 / 700 is 0.92, below the 0.93 that healthy machines with one card differ by.
  const slow = await makeUser(app);
  assert.deepEqual(await shownOf(slow, await measured(slow, { bf16: 644 })), {
    card: '92 % of what others with this model reach (700, 11 machines)',
    verdict: '1 problem: 1 to check',
    grade: 'check',
    performance: 'underperforming',
  });
});
