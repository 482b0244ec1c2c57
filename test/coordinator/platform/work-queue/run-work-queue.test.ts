import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreError } from '../../../../coordinator/platform/errors.ts';
import { enqueueWork } from '../../../../coordinator/platform/work-queue/enqueue-work.ts';
import { claimWork } from '../../../../coordinator/platform/work-queue/queries.ts';
import type { WorkHandler } from '../../../../coordinator/platform/work-queue/run-work-queue.ts';
import { until } from '../../../support/until.ts';
import { done, poll, setUp, startRunner } from './queue.ts';

test('two runners with several lanes do each item exactly once', async (t) => {
  const { platform, sql, rows } = await setUp(t);
  const subjects = Array.from({ length: 40 }, (_, index) => String(index + 1));
  for (const subjectId of subjects)
    await enqueueWork(sql, platform, { kind: 'task_report', subject_id: subjectId, customer_id: subjectId });
  const seen: string[] = [];
  const handler: WorkHandler = async (_context, { subject_id }) => {
    seen.push(subject_id);
    await sql`select 1`;
  };
  const runners = [1, 2].map(() =>
    startRunner(t, { platform, handlers: { task_report: handler }, concurrency: 2, ...poll }),
  );
  await until('all work is done', async () => done(await rows()));
  await Promise.all(runners.map((runner) => runner.stop()));
  assert.deepEqual(
    seen.toSorted((a, b) => Number(a) - Number(b)),
    subjects,
  );
  assert.ok((await rows()).every(({ attempts }) => attempts === 1));
});

test('asking twice is one item, asking while it runs is one more after it', async (t) => {
  const { platform, sql, rows } = await setUp(t);
  const ask = () => enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  await ask();
  await ask();
  assert.equal((await rows()).length, 1);
  let running = 0;
  let most = 0;
  let runs = 0;
  const handler: WorkHandler = async () => {
    runs += 1;
    most = Math.max(most, (running += 1));
    if (runs === 1) {
      await ask();
      await ask();
    }
    await sql`select pg_sleep(0.02)`;
    running -= 1;
  };
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 3, ...poll });
  await until('the work has come so far', async () => (await rows()).length === 2 && done(await rows()));
  await runner.stop();
  assert.equal(runs, 2);
  assert.equal(most, 1, 'the two runs of one subject never overlap');
});

test('an item asked for in a transaction that is rolled back does not exist', async (t) => {
  const { platform, sql, rows } = await setUp(t);
  const change = sql.begin(async (tx) => {
    await enqueueWork(tx, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
    throw new Error('the change failed');
  });
  await assert.rejects(change, /the change failed/);
  assert.equal((await rows()).length, 0);
});

test('an item that fails in another way each time is tried 5 times with growing pauses, then given up with its error kept', async (t) => {
  const { platform, sql, clock, rows } = await setUp(t);
  await enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  let tries = 0;
  const handler: WorkHandler = () => {
    tries += 1;
    return Promise.reject(new Error(`no ${'paper'.slice(tries - 1)}`));
  };
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 1, ...poll });
  // the pauses are 5, 20, 80 and 320 s
  for (const [attempt, pause] of [5, 20, 80, 320].entries()) {
    await until('the work has come so far', async () => {
      const [row] = await rows();
      // both of one snapshot: it is queued before its first try, too
      return row?.['state'] === 'queued' && row['attempts'] === attempt + 1;
    });
    const [row] = await rows();
    assert.equal(row?.['run_at'].getTime() - clock.now().getTime(), pause * 1000);
    clock.advance({ seconds: pause - 1 });
    assert.equal(await claimWork(sql, { kinds: ['job_report'], now: clock.now(), lockedUntil: clock.now() }), null);
    clock.advance({ seconds: 1 });
  }
  await until('the work has come so far', async () => (await rows())[0]?.['state'] === 'failed');
  await runner.stop();
  assert.equal(tries, 5);
  const [row] = await rows();
  assert.equal(row?.['attempts'], 5);
  assert.equal(row?.['error'], 'no r');
});

test('what waits for the store of files is tried each minute until it is back, counts no try and keeps the reason', async (t) => {
  const { platform, sql, clock, rows } = await setUp(t);
  await enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  let tries = 0;
  const handler: WorkHandler = async () => {
    tries += 1;
    if (tries <= 7) throw new StoreError('the bucket is full');
  };
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 1, ...poll });
  for (let failed = 1; failed <= 7; failed += 1) {
    await until('the try to be over', async () => tries === failed && (await rows())[0]?.['state'] === 'queued');
    const [row] = await rows();
    assert.deepEqual([row?.['attempts'], row?.['error']], [0, 'the bucket is full']);
    assert.equal(row?.['run_at'].getTime() - clock.now().getTime(), 60_000);
    clock.advance({ seconds: 60 });
  }
  await until('all work is done', async () => done(await rows()));
  await runner.stop();
  const [row] = await rows();
  assert.deepEqual([row?.['state'], row?.['attempts'], row?.['error'], tries], ['done', 1, null, 8]);
});

test('an item whose runner died runs again once its lock has run out, and not before', async (t) => {
  const { platform, sql, clock, rows } = await setUp(t);
  await enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  // a runner that claims and is never heard of again
  const lockedUntil = new Date(clock.now().getTime() + 120_000);
  assert.equal((await claimWork(sql, { kinds: ['job_report'], now: clock.now(), lockedUntil }))?.attempts, 1);
  const again = { kinds: ['job_report'] as const, lockedUntil };
  clock.advance({ seconds: 119 });
  assert.equal(await claimWork(sql, { ...again, kinds: [...again.kinds], now: clock.now() }), null);
  clock.advance({ seconds: 1 });
  const seen: number[] = [];
  const handler: WorkHandler = async (_context, { attempts }) => void seen.push(attempts);
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 1, ...poll });
  await until('all work is done', async () => done(await rows()));
  await runner.stop();
  assert.deepEqual(seen, [2]);
});

test('an item that kills its runner every time is given up', async (t) => {
  const { platform, sql, clock, rows } = await setUp(t);
  await enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    const item = await claimWork(sql, { kinds: ['job_report'], now: clock.now(), lockedUntil: clock.now() });
    assert.equal(item?.attempts, attempt);
  }
  const handler: WorkHandler = () => assert.fail('it must not be tried again');
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 1, ...poll });
  await until('all work is done', async () => done(await rows()));
  await runner.stop();
  const [row] = await rows();
  assert.equal(row?.['state'], 'failed');
  assert.match(row?.['error'], /the runner died in every attempt/);
});

test('a handler that runs over its lock is given up and tried later', async (t) => {
  const { platform, sql, rows } = await setUp(t);
  await enqueueWork(sql, platform, { kind: 'job_report', subject_id: '7', customer_id: '1' });
  let told = false;
  const handler: WorkHandler = (_context, _item, signal) =>
    new Promise(() => signal.addEventListener('abort', () => (told = true)));
  const runner = startRunner(t, {
    platform,
    handlers: { job_report: handler },
    concurrency: 1,
    lockSeconds: 0.05,
    ...poll,
  });
  await until('the work has come so far', async () => (await rows())[0]?.['error'] !== null);
  await runner.stop();
  assert.ok(told, 'the handler was told to stop');
  const [row] = await rows();
  assert.match(row?.['error'], /took longer than its 0\.05 s/);
  assert.equal(row?.['state'], 'queued');
});

test('stopping waits for the running item and takes no other', async (t) => {
  const { platform, sql, rows } = await setUp(t);
  for (const subjectId of ['1', '2'])
    await enqueueWork(sql, platform, { kind: 'job_report', subject_id: subjectId, customer_id: '1' });
  const started = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const handler: WorkHandler = async () => {
    started.resolve();
    await release.promise;
  };
  const runner = startRunner(t, { platform, handlers: { job_report: handler }, concurrency: 1, ...poll });
  await started.promise;
  const stopped = runner.stop();
  release.resolve();
  await stopped;
  assert.deepEqual(
    (await rows()).map(({ state }) => state),
    ['done', 'queued'],
  );
});
