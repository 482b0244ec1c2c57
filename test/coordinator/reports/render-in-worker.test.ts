import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderInWorker } from '../../../coordinator/reports/render-in-worker.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import type { TaskReport } from '../../../coordinator/reports/report-model.ts';
import { cpuTask, largeJob } from './examples/reports.ts';

test('the thread gives the same bytes as the caller would get, twice', async () => {
  const here = await renderPdf(cpuTask());
  assert.ok(here.equals(await renderInWorker(cpuTask())));
  assert.ok(here.equals(await renderInWorker(cpuTask())));
});

test('reports one after the other share a thread; one that was given up takes its thread along', async (t) => {
  let started = 0;
  const count = () => (started += 1);
  process.on('worker', count);
  t.after(() => process.off('worker', count));
  await renderInWorker(cpuTask());
  const before = started;
  await renderInWorker(cpuTask());
  assert.equal(started, before);
  const giveUp = new AbortController();
  const rendering = renderInWorker(cpuTask(), giveUp.signal);
  giveUp.abort();
  await assert.rejects(rendering, /could not be made: the work was given up/);
  assert.equal(started, before);
  await renderInWorker(cpuTask());
  assert.equal(started, before + 1);
});

test('a report over its time is stopped with a clear sentence', async () => {
  const tight = { deadlineSeconds: 0.01, heapMegabytes: 768 };
  await assert.rejects(
    renderInWorker(cpuTask(), undefined, tight),
    /could not be made: it took longer than 0\.01 s and was stopped/,
  );
});

test('a report over its memory ends its thread, not the process', async () => {
  const tight = { deadlineSeconds: 60, heapMegabytes: 8 };
  await assert.rejects(renderInWorker(largeJob(256), undefined, tight), /could not be made: it needed more than 8 MB/);
});

test('a fault in the renderer is reported with its cause', async () => {
  const broken: TaskReport = JSON.parse(JSON.stringify({ ...cpuTask(), job: undefined }));
  await assert.rejects(renderInWorker(broken), /could not be made: TypeError/);
});
