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

test('the largest job is rendered within the usual limits', async () => {
  const pdf = await renderInWorker(largeJob(256));
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
});

test('a report over its time is stopped with a clear sentence', async () => {
  const tight = { deadlineSeconds: 0.01, heapMegabytes: 768 };
  await assert.rejects(
    renderInWorker(largeJob(256), undefined, tight),
    /could not be made: rendering took longer than 0\.01 s and was stopped/,
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

test('giving up the work ends the thread', async () => {
  const giveUp = new AbortController();
  const rendering = renderInWorker(largeJob(256), giveUp.signal);
  giveUp.abort();
  await assert.rejects(rendering, /could not be made: the work was given up/);
});
