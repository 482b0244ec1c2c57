import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobReport } from '../../../coordinator/reports/report-model.ts';
import { resultSetHash } from '../../../coordinator/reports/facts/result-hash.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { renderInWorker } from '../../../coordinator/reports/render-in-worker.ts';
import { ANNEX } from '../../../coordinator/reports/sections/annex.ts';
import { NO_EXPECTATION } from '../../../coordinator/reports/sections/expectation.ts';
import { CPU_WORDS, SIMULATED_WORDS } from '../../../coordinator/reports/sections/first-page.ts';
import { judgedJob, node, quickMark } from './examples/parts.ts';
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

test('the first page says who, what, when and two figures with unit, spread and count', async () => {
  const [first = ''] = pdfPages(await renderPdf(cpuTask()));
  // the golden's fp32: median 0.145029755, p5-p95 0.119799647-0.165536018, n 13
  const page = first.replaceAll(/\s+/g, ' ');
  for (const words of ['Node report', 'Example Compute GmbH', 'acceptance rack 7', 'node-17.example.net', '2026-11-21'])
    assert.ok(page.includes(words), words);
  assert.match(page, /Compute fp32 0\.1450 TFLOP\/s p5–p95 0\.1198–0\.1655, n 13/);
  assert.match(page, /Memory memory bandwidth 37\.35 GB\/s p5–p95 36\.16–51\.68, n 8/);
});

test('the report of a job with one node shows that node in full', async () => {
  const { customer, job, node: only } = cpuTask();
  const results = [quickMark(cpuResults())];
  const report: JobReport = { kind: 'job', customer, job, nodes: [only], results, ...nothingToCompare };
  const text = pdfText(await renderPdf(report)).replaceAll(/\s+/g, ' ');
  assert.match(text, /Job report/);
  assert.match(text, /Compute fp32 0\.1450 TFLOP\/s p5–p95 0\.1198–0\.1655, n 13/);
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
  assert.ok(text.includes('not measured: processors have no fp8 arithmetic'));
  assert.ok(text.includes('no RAPL package counter'));
  const empty = pdfText(await renderPdf(nullTask()));
  assert.ok(empty.includes('1 of 1 processor needs action'));
  assert.ok(empty.includes('fp32 not measured: the runner was stopped before fp32_tflops'));
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
});

test('the slow device of a node is named with how far it is behind', async () => {
  const text = pdfText(await renderPdf(simulatedTask()));
  assert.match(text, /GPU 7 .{0,80}behind the median of the 8 devices/);
  assert.ok(text.includes('1 of 8 GPUs needs action'));
});

test('a failed machine without results has a report with its reason, and no rules by which nothing was judged', async () => {
  const pages = pdfPages(await renderPdf(failedTask()));
  assert.equal(pages.length, 2);
  assert.match(pages[0] ?? '', /The machine needs a look/);
  assert.match(pages[0] ?? '', /The run failed: No usable device: libcuda\.so\.1 is not installed/);
  assert.match(pages[0] ?? '', /based on no result/);
});

test('wrong results are bad and their speed is not shown as a figure of the first page', async () => {
  const results = cpuResults() as { test_results: { details: Record<string, Record<string, unknown>> }[] };
  const details = results.test_results[0]?.details['fp32_tflops'];
  assert.ok(details);
  details['verified'] = false;
  const report = { ...cpuTask(), node: node({ results: [quickMark(results)] }) };
  const page = (pdfPages(await renderPdf(report))[0] ?? '').replaceAll(/\s+/g, ' ');
  assert.match(page, /Compute fp32 computed wrong results, so its speed does not count – ✗ bad/);
  assert.ok(!page.includes('0.1450'));
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

test('256 nodes fit in 12 pages and an annex, and in the memory of a thread, with all nodes and the outliers named', async () => {
  const limits = { deadlineSeconds: 240, heapMegabytes: 768 };
  const pages = pdfPages(await renderInWorker(largeJob(), undefined, limits));
  assert.ok(pages.findIndex((page) => page.includes(ANNEX)) <= 12, `${pages.length} pages`);
  const text = pages.join(' ').replaceAll(/\s+/g, ' ');
  assert.ok(text.includes('256 of 258 expected nodes registered'));
  assert.ok(text.includes('254 of 258 expected nodes delivered'));
  assert.match(text, /gpu-098\.cluster\.example\. ?net failed: GPU 3 fell off the bus/);
  for (const number of ['001', '042', '256']) assert.ok(text.includes(`gpu-${number}.cluster.example.net`));
});

test('the worst job stays within 12 pages and its annex, and says what it leaves out', async () => {
  const made = largeJob(256);
  const nodes = made.nodes.map((one, index) => {
    const { judgement: _before, ...rest } = one;
    return node({
      ...rest,
      hostname: `${'very-long-name-'.repeat(15)}${index}`,
      warnings: Array.from({ length: 100 }, (_, warning) => `node ${index} warning ${warning} ${'x'.repeat(400)}`),
      inventory: one.inventory && { ...one.inventory, config_id: `config-${index}` },
    });
  });
  const pages = pdfPages(await renderPdf({ ...made, nodes, judgement: judgedJob(nodes) }));
  assert.equal(
    pages.findIndex((page) => page.includes(ANNEX)),
    12,
  );
  assert.match(pages[11] ?? '', /more rows are left out here/);
  assert.match(pages.at(-1) ?? '', /Left out for length/);
});

test('a job nobody joined has a report', async () => {
  const report = { ...largeJob(0), results: [], performance: null };
  const [page = ''] = pdfPages(await renderPdf({ ...report, job: { ...report.job, state: 'aborted' } }));
  assert.match(page, /The job was aborted: 0 of 2 expected nodes delivered before that; no machine joined/);
});

test('a node with hardware of more than one kind and 64 devices is printed', async () => {
  const report = simulatedTask();
  const results = structuredClone(report.node.results[0]?.results) as { test_results: Record<string, unknown>[] };
  const first = results.test_results[0] ?? {};
  results.test_results = Array.from({ length: 64 }, (_, index) => ({
    ...first,
    vendor: index === 63 ? 'cpu' : 'nvidia',
    gpu_id: `${index}`,
    gpu_model: 'm'.repeat(200),
  }));
  const pages = pdfPages(
    await renderPdf({ ...report, node: node({ simulated: true, results: [quickMark(results)] }) }),
  );
  assert.ok(pages.findIndex((page) => page.includes(ANNEX)) <= 40, `${pages.length} pages`);
  assert.match(pages[0] ?? '', /Some of these devices are CPUs/);
});
