import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { cpuTask, largeJob, simulatedTask } from './examples/reports.ts';
import { pdfText } from './pdf-text.ts';

test('the spread of the samples has its unit, its count and an axis of percent', async () => {
  const text = pdfText(await renderPdf(cpuTask()));
  const [, chart = ''] = text.split('Spread of the samples');
  assert.match(chart, /percent from the median \(dot: median, box: p5 to p95, line: least to most\)/);
  // The golden's fp32: median 0.145029755, n 13.
  assert.match(chart, /FP32 matrix multiply 0\.1450 TFLOP\/s, n 13/);
});

test('devices beside each other: the slow one is named in the chart, with how many there are', async () => {
  const text = pdfText(await renderPdf(simulatedTask()));
  assert.match(text, /BF16 matrix multiply n 8, 1 marked GPU 7 Memory bandwidth \(triad\) n 8 /);
  assert.match(text, /percent from the median of the 8 devices \(◆ not good by its verdict\)/);
});

test('a figure below what its peers reach is marked low in words, and a share of a theoretical peak is left out', async () => {
  const text = pdfText(await renderPdf(simulatedTask()));
  const [chart = ''] = /BF16 matrix multiply 93\.0.% of its peers.*?percent from the expected value/.exec(text) ?? [];
  assert.match(chart, /93\.0.% of its peers low Memory bandwidth/);
  assert.doesNotMatch(chart, /FP8/);
  assert.match(
    text,
    /FP8 matrix multiply 10,480 15,832 TFLOP\/s 66\.2.% – the data sheet's peak, which gives no verdict/,
  );
});

test('of 256 nodes each is a dot, and the furthest that stand apart are named', async () => {
  const text = pdfText(await renderPdf(largeJob()));
  const [chart = ''] = /How the nodes spread.*?\(◆ not good by its verdict\)/.exec(text) ?? [];
  assert.match(chart, /BF16 matrix multiply n 25\d, \d+ marked gpu-101\.cluster\.example\.net/);
});
