// A card's first second is up to a fifth faster than what it sustains: a figure is held against those of its own load class.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import type { LoadClass } from '../../../coordinator/contract/load-class.ts';
import { selectFigureVotes } from '../../../coordinator/lifecycle/performance/queries.ts';
import { modelKey } from '../../../coordinator/figures/gpu-peaks.ts';
import { testApp } from '../../support/app.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import { at, getJob, makeJob, measuredJob, Node, textAt } from '../jobs/node.ts';
import { upload, type Device } from '../jobs/upload.ts';
import { fiveCustomers } from './five-customers.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const user = await makeUser(app);
const customers = await fiveCustomers(app);
const measure = (devices: Device[], by: TestUser = user) => measuredJob(app, by, devices);
/** Eight machines of five customers. */
const others = async (device: Device) => {
  for (let n = 0; n < 8; n += 1) await measure([device], customers[n % customers.length]);
};
const card = (model: string, bf16: number, load: LoadClass | null): Device => ({
  model,
  bf16,
  memory: 4300,
  engine: 'vendor',
  load,
});
const WHY = 'a card is faster in its first second than it stays, so only figures of one load class are compared';

for (const [model, load] of [
  ['NVIDIA Burst', 'burst'],
  ['NVIDIA Old-agent', null],
  ['NVIDIA Brief', 'brief'],
] as const)
  test(`a card that sustains 687 is not held against votes of 752 measured ${load ?? 'by agents that did not say how'}`, async () => {
    await others(card(model, 752, load));
    const job = await measure([card(model, 687, 'sustained')]);
    const [bf16, memory] = [0, 1].map((index) => at(job, 'performance', 'metrics', index));
    assert.deepEqual(
      [at(bf16, 'metric'), at(bf16, 'basis'), at(bf16, 'expected'), at(bf16, 'sample_size')],
      ['bf16_tflops', 'none', null, 0],
    );
    // 4300 of 4300: memory bandwidth has no load class, and its votes stand.
    assert.deepEqual([at(memory, 'basis'), at(memory, 'sample_size'), at(memory, 'ratio')], ['peers', 8, 1]);
    assert.equal(at(job, 'performance', 'status'), 'nominal');
    assert.deepEqual(at(job, 'performance', 'notes'), [
      `bf16_tflops: not compared with 8 other machines of this model: measured under sustained load, there under another load or one that was not recorded; ${WHY}`,
    ]);
    assert.equal(at(job, 'scoreboard_summary', 'of'), 1, 'it ranks among its own class');
  });

test('within a class a figure is compared: 687 of 752 is 0.914, which is below what others reach', async () => {
  const model = 'NVIDIA Sustained';
  await others(card(model, 752, 'sustained'));
  const job = await measure([card(model, 687, 'sustained')]);
  const bf16 = at(job, 'performance', 'metrics', 0);
  assert.deepEqual([at(bf16, 'basis'), at(bf16, 'expected'), at(bf16, 'ratio')], ['peers', 752, 0.9136]);
  assert.equal(at(job, 'performance', 'status'), 'underperforming');
  assert.equal(at(job, 'performance', 'notes'), undefined);
  assert.equal(at(job, 'scoreboard_summary', 'of'), 6);
});

for (const [load, words] of [
  [null, 'under a load that was not recorded'],
  ['brief', 'too briefly to show what the card sustains'],
] as const)
  test(`a bf16 measured ${words} is shown, neither compared nor ranked, and a sentence says why`, async () => {
    const model = `NVIDIA Classless-${load}`;
    await others(card(model, 752, 'sustained'));
    const job = await measure([card(model, 687, load)]);
    const bf16 = at(job, 'performance', 'metrics', 0);
    assert.deepEqual([at(bf16, 'value'), at(bf16, 'basis'), at(bf16, 'expected')], [687, 'none', null]);
    assert.deepEqual(at(job, 'performance', 'notes'), [
      `bf16_tflops: not compared with other machines: measured ${words}; ${WHY}`,
    ]);
    assert.equal(
      at(job, 'scoreboard_summary', 'of'),
      1,
      'it ranks by what has no load class, with those that lack bf16',
    );
  });

test('cards of one node that settled or sustained vote as sustained, and the bands of others are of one class', async () => {
  const model = 'NVIDIA Soak';
  await others(card(model, 700, 'sustained'));
  const job = await measure([card(model, 690, 'settled'), card(model, 694, 'sustained')]);
  const bf16 = at(job, 'performance', 'metrics', 0);
  // (690 + 694) / 2 of 700
  assert.deepEqual([at(bf16, 'basis'), at(bf16, 'ratio')], ['peers', 0.9886]);
  const votes = await selectFigureVotes(app.platform.sql, modelKey('nvidia', model), 5);
  assert.deepEqual(
    votes.map(({ key }) => key).filter((key) => key.startsWith('bf16')),
    ['bf16_tflops|vendor|sustained'],
  );
});

test('a class that the record’s own times contradict is not believed', async () => {
  const model = 'NVIDIA Hasty';
  await others(card(model, 752, 'sustained'));
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.register();
  const payload = upload(node.machineUuid, [card(model, 687, 'sustained')]);
  const [device] = payload.benchmark_results.quick_mark.test_results;
  assert.ok(device);
  device.details['bf16_tflops'] = { before_seconds: 0.12, counted_seconds: 0.09 };
  await node.results(node.result(payload));
  await node.complete();
  const ended = await getJob(app, user, job.id);
  assert.equal(at(ended, 'performance', 'metrics', 0, 'basis'), 'none');
});

test('jobs ranked by a bf16 without a class rank no more after the migration; those ranked by bandwidths do', async () => {
  await others(card('NVIDIA Ranked', 700, 'sustained'));
  const jobs = [
    await measure([card('NVIDIA Ranked', 700, 'sustained')]),
    await measure([card('NVIDIA Ranked', 700, null)]),
  ];
  const [old, other] = jobs.map((job) => textAt(job, 'id'));
  const { sql } = app.platform;
  await sql`update job set scoreboard_group = 'nvidia|x|bf16_tflops by own|memory_bandwidth_gbs' where id = ${old ?? ''}`;
  const migration = new URL('../../../coordinator/platform/db/migrations/0039-load-class.sql', import.meta.url);
  const [update = ''] = /^update job [^;]+;/m.exec(readFileSync(migration, 'utf8')) ?? [];
  await sql.unsafe(update);
  assert.equal(at(await getJob(app, user, old ?? ''), 'scoreboard_summary'), null);
  assert.equal(at(await getJob(app, user, other ?? ''), 'scoreboard_summary', 'of'), 1);
});
