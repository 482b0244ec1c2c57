import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobReport } from '../../../coordinator/reports/report-model.ts';
import { resultSetHash, renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { renderInWorker } from '../../../coordinator/reports/render-in-worker.ts';
import { NO_EXPECTATION } from '../../../coordinator/reports/sections/expectation.ts';
import { CPU_WORDS, SIMULATED_WORDS } from '../../../coordinator/reports/sections/verdict.ts';
import { node, quickMark } from './examples/parts.ts';
import {
  cpuResults,
  cpuTask,
  expectation,
  failedTask,
  largeJob,
  nullTask,
  simulatedTask,
  unicodeTask,
} from './examples/reports.ts';
import { pdfPages, pdfText } from './pdf-text.ts';

const nothingToCompare = { warnings: [], network: null, performance: null, judgement: null, scoreboard: null };

test('the own fleet stands apart from what is expected, also if nothing is', async () => {
  const own_fleet = [{ metric: 'bf16_tflops', machines: 12, median: 640, ratio: 1.094 }];
  const customers = expectation(0.99).metrics.map((metric) => ({ ...metric, customers: 6 }));
  for (const metrics of [customers, []]) {
    const performance = { ...expectation(0.99), metrics, own_fleet };
    const { customer, job, node: only } = cpuTask();
    const report: JobReport = {
      kind: 'job',
      customer,
      job,
      nodes: [only, node({ taskId: '2' })],
      results: [],
      ...nothingToCompare,
      performance,
    };
    const text = pdfText(await renderPdf(report)).replaceAll(/\s+/g, ' ');
    assert.match(text, /Own machines Their median Unit Ratio .{0,40}12 640/);
    assert.equal(text.includes('median of 6 customers with 12 machines of the same model'), metrics.length > 0);
  }
});

test('equal data gives equal bytes, different data different ones', async () => {
  const [first, second] = [await renderPdf(cpuTask()), await renderPdf(cpuTask())];
  assert.ok(first.equals(second));
  const other = { ...cpuTask(), customer: { id: '1', name: 'Somebody else' } };
  assert.ok(!first.equals(await renderPdf(other)));
  assert.ok((await renderPdf(largeJob(8))).equals(await renderPdf(largeJob(8))));
});

test('the time of making is the newest instant of the data, not the clock', async () => {
  const pdf = (await renderPdf(cpuTask())).toString('latin1');
  // the job ended last, at 11:01:02 UTC
  assert.ok(pdf.includes('(D:20261121110102Z)'));
  assert.equal([...pdf.matchAll(/\(D:\d+Z\)/g)].length, 1);
});

test('the first page says the verdict, who, what and three figures with unit, spread and count', async () => {
  const [first = ''] = pdfPages(await renderPdf(cpuTask()));
  // the golden's fp32: median 0.145029755, p5-p95 0.119799647-0.165536018, cv 0.119592578, n 13
  const page = first.replaceAll(/\s+/g, ' ');
  for (const words of [
    'Node report',
    'Completed',
    'Example Compute GmbH',
    'acceptance rack 7',
    'node-17.example.net',
  ]) {
    assert.ok(page.includes(words), words);
  }
  assert.match(page, /FP32 matrix multiply 0\.1450 TFLOP\/s median; p5–p95 0\.1198–0\.1655, cv 12\.0 %, n 13/);
  assert.match(page, /Memory bandwidth \(triad\) 37\.35 GB\/s median; p5–p95 36\.16–51\.68, cv 16\.5 %, n 8/);
});

test('the report of a job with one node shows that node in full', async () => {
  const { customer, job, node: only } = cpuTask();
  const results = [quickMark(cpuResults())];
  const report: JobReport = { kind: 'job', customer, job, nodes: [only], results, ...nothingToCompare };
  const text = pdfText(await renderPdf(report)).replaceAll(/\s+/g, ' ');
  assert.match(text, /Job report/);
  assert.match(text, /FP32 matrix multiply 0\.1450 TFLOP\/s median; p5–p95 0\.1198–0\.1655, cv 12\.0 %, n 13/);
  for (const words of ['How it was taken', 'Power and energy', only.machineUuid])
    assert.ok(text.includes(words), words);
  assert.ok(!text.includes('Results of the job as a whole'), 'they are the same figures');
});

test('a CPU is never taken for a GPU', async () => {
  const text = pdfText(await renderPdf(cpuTask()));
  assert.ok(text.includes(CPU_WORDS));
  assert.ok(!text.includes(SIMULATED_WORDS));
  assert.ok(!pdfText(await renderPdf(simulatedTask())).includes(CPU_WORDS));
});

test('a simulated run says so on its first page and on every other', async () => {
  const pages = pdfPages(await renderPdf(simulatedTask()));
  assert.ok(pages[0]?.includes(SIMULATED_WORDS));
  for (const page of pages.slice(1)) assert.ok(page.includes('SIMULATED'));
  // also if only a device, not the task, is marked
  const report = { ...simulatedTask(), node: { ...simulatedTask().node, simulated: false } };
  assert.ok(pdfPages(await renderPdf(report))[0]?.includes(SIMULATED_WORDS));
});

test('a figure that is null stands there with its reason', async () => {
  const text = pdfText(await renderPdf(cpuTask()));
  assert.ok(text.includes('not available: processors have no fp8 arithmetic'));
  assert.ok(text.includes('no RAPL package counter'));
  const empty = pdfText(await renderPdf(nullTask()));
  assert.ok(empty.includes('Completed, but not valid'));
  assert.ok(empty.includes('not one figure was measured'));
  assert.ok(empty.includes('Not available: the runner was stopped before fp32_tflops'));
});

test('without an expectation the report says so instead of comparing', async () => {
  const text = pdfText(await renderPdf(cpuTask()));
  assert.ok(text.includes(NO_EXPECTATION));
  const compared = pdfText(await renderPdf(simulatedTask()));
  assert.ok(compared.includes('median of 12 machines of the same model'));
  assert.ok(compared.includes("the data sheet's peak"));
  assert.ok(compared.includes('93.0\u00A0%') || compared.includes('93.0 %'));
  // Of two figures beside peers, 0.93 and 1.0064, the worst decides; 0.662 of a peak is neither low nor expected.
  assert.match(
    compared,
    /Status: underperforming\. The worst of 2 figures reaches 93\.0.% of expected: BF16 matrix multiply/,
  );
  assert.match(compared, /No card reaches the data sheet's peak, so a share of it gives no verdict/);
  assert.match(
    compared,
    /No verdict beside a peak: only the data sheet's peak is known for this model; no healthy card/,
  );
  assert.match(compared, /The machine is low: BF16 matrix multiply 93\.0.% of what others of its model reach; see/);
});

test('the slow device of a node is named with how far it is behind', async () => {
  const text = pdfText(await renderPdf(simulatedTask()));
  assert.match(text, /GPU 7 is slower than the median of the node's devices: FP32 −6\.9/);
  assert.ok(text.includes('Completed with warnings'));
});

test('a failed machine without results has a report with its reason', async () => {
  const pages = pdfPages(await renderPdf(failedTask()));
  assert.equal(pages.length, 1);
  assert.match(pages[0] ?? '', /Failed/);
  assert.match(pages[0] ?? '', /libcuda\.so\.1 is not installed/);
  assert.match(pages[0] ?? '', /Based on no result/);
});

test('wrong results are a failure and their speed is not shown as a figure of the first page', async () => {
  const report = cpuTask();
  const results = report.node.results[0]?.results as {
    test_results: { details: Record<string, Record<string, unknown>> }[];
  };
  const details = results.test_results[0]?.details['fp32_tflops'];
  assert.ok(details);
  details['verified'] = false;
  const [page = ''] = pdfPages(await renderPdf(report));
  assert.ok(page.includes('Completed, but not valid'));
  assert.ok(page.includes('computed wrong results'));
  assert.ok(!page.includes('0.1639'));
});

test('every page carries report id, result-set hash and its number', async () => {
  const report = cpuTask();
  const pages = pdfPages(await renderPdf(report));
  const hash = resultSetHash(report);
  assert.ok(hash);
  for (const [index, page] of pages.entries()) {
    assert.ok(page.includes('Report task-1847032911563125000'));
    assert.ok(page.includes(`Result set SHA-256 ${hash}`));
    assert.ok(page.includes(`Page ${index + 1} of ${pages.length}`));
  }
});

test('names in any script are printed or visibly replaced, with the code points named', async () => {
  const text = pdfText(await renderPdf(unicodeTask()));
  assert.ok(text.includes('Ελληνική Εταιρεία'));
  assert.ok(text.includes('Приёмка стойки → \uFFFD\uFFFD\uFFFD\uFFFD №7 ✓ µ±'));
  // U+6F14 U+7B97 U+57FA U+76E4 are the four characters of the job's name that the font lacks
  assert.ok(text.includes('U+6F14 U+7B97 U+57FA U+76E4'));
  assert.ok(text.includes('evil \uFFFDoverride\uFFFD bell'), 'a bidirectional override and a control are made visible');
});

test('256 nodes fit in 12 pages and in the memory of a thread, with all nodes and the outliers named', async () => {
  const limits = { deadlineSeconds: 240, heapMegabytes: 768 };
  const pages = pdfPages(await renderInWorker(largeJob(), undefined, limits));
  assert.ok(pages.length <= 12, `${pages.length} pages`);
  const text = pages.join(' ').replaceAll(/\s+/g, ' ');
  assert.ok(text.includes('256 registered of 258 expected'));
  assert.ok(text.includes('2 expected nodes never registered'));
  assert.match(text, /gpu-101\.cluster\.example\.net is an outlier: BF16 matrix multiply/);
  assert.match(text, /gpu-098\.cluster\.example\.net: The run failed: GPU 3 fell off the bus/);
  for (const number of ['001', '042', '256']) assert.ok(text.includes(`gpu-${number}.cluster.example.net`));
});

test('the worst job stays within 12 pages and says what it leaves out', async () => {
  const report = largeJob(256);
  report.nodes.forEach((one, index) => {
    one.hostname = `${'very-long-name-'.repeat(15)}${index}`;
    one.warnings = Array.from({ length: 100 }, (_, warning) => `node ${index} warning ${warning} ${'x'.repeat(400)}`);
    if (one.inventory) one.inventory = { ...one.inventory, config_id: `config-${index}` };
  });
  const pages = pdfPages(await renderPdf(report));
  assert.equal(pages.length, 12);
  assert.match(pages[11] ?? '', /more rows are left out here|Left out for length/);
});

test('a job nobody joined has a report', async () => {
  const report = { ...largeJob(0), results: [], performance: null };
  const [page = ''] = pdfPages(await renderPdf({ ...report, job: { ...report.job, state: 'aborted' } }));
  assert.match(page, /Aborted/);
  assert.match(page, /No machine registered for this job/);
});

test('a node with hardware of more than one kind and 64 devices is printed', async () => {
  const report = simulatedTask();
  const results = report.node.results[0]?.results as { test_results: Record<string, unknown>[] };
  const first = results.test_results[0] ?? {};
  results.test_results = Array.from({ length: 64 }, (_, index) => ({
    ...first,
    vendor: index === 63 ? 'cpu' : 'nvidia',
    gpu_id: `${index}`,
    gpu_model: 'm'.repeat(200),
  }));
  const pages = pdfPages(await renderPdf({ ...report, node: node({ ...report.node }) }));
  assert.ok(pages.length <= 40, `${pages.length} pages`);
  assert.match(pages[0] ?? '', /Some of these devices are CPUs/);
});
