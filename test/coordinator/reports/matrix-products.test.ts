import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobReport } from '../../../coordinator/reports/report-model.ts';
import { nodeStandings } from '../../../coordinator/reports/facts/peers.ts';
import { summarise } from '../../../coordinator/reports/facts/node-summary.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { gemmNode, gemmResults, gemmTask, NO_LIBRARY } from './examples/gemm-gpus.ts';
import { customer, job, judgedJob, quickMark } from './examples/parts.ts';
import { cpuTask } from './examples/reports.ts';
import { pdfPages, pdfText } from './pdf-text.ts';

const flat = (text: string | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ');
const SECTION = 'Matrix products: engines, peaks and paths';
const jobOf = (nodes: JobReport['nodes'], rest: Partial<JobReport> = {}): JobReport => ({
  kind: 'job',
  customer,
  job: { ...job, nodeCount: nodes.length },
  warnings: [],
  judgement: null,
  nodes,
  results: [],
  performance: null,
  network: null,
  scoreboard: null,
  ...rest,
});

test('engine and share of the published rate stand beside the headline and in the table of figures', async () => {
  const pages = pdfPages(await renderPdf(gemmTask(1)));
  // 715 / 989.4 = 72.3 %, 715 / 677 = 105.6 % (native/results: 677), 364 / 494.7 = 73.6 %, 60.1 / 66.9 = 89.8 %
  assert.match(
    flat(pages[0]),
    /Compute bf16 715\.0 TFLOP\/s p5–p95 [^(]*\(vendor library, sustained\) 72 % of the data-sheet peak \(989\); a healthy H100 SXM reaches 677: 105\.6 % of it/,
  );
  const text = flat(pages.join(' '));
  assert.match(text, /BF16 matrix multiply 715\.0 TFLOP\/s vendor library 72\.3 %/);
  assert.match(text, /FP32 matrix multiply 364\.0 TFLOP\/s vendor library 73\.6 %/);
  assert.match(text, /FP64 matrix multiply 60\.10 TFLOP\/s vendor library 89\.8 %/);
  assert.match(text, /Memory bandwidth \(triad\) [\d,.]+ GB\/s – –/, 'one source, no tensor rate');
  assert.match(text, /Engine the vendor's library/);
  assert.match(text, /Engine asked for none: the library where it is/);
});

test('both engines, issue peak, zeros ratio, best shape, path and algorithm are told, and nothing is clipped', async () => {
  const text = flat(pdfText(await renderPdf(gemmTask(1))));
  const section = text.slice(text.indexOf(SECTION), text.indexOf('Words Word'));
  // best: 1.02 x 715 = 729.3
  assert.match(
    section,
    /BF16 matrix multiply vendor library 715\.0 72\.3 % 715\.0 690\.0 948\.0 1\.13; n 31, brief 729\.3 at 16384 × 8192 × 8192; n 7, brief/,
  );
  assert.match(
    section,
    /FP32 on ordinary lanes vendor library 51\.20 76\.5 % 51\.20 49\.80 – 1\.13; n 31, brief/,
    'no matrix instruction',
  );
  assert.match(
    section,
    /BF16 matrix multiply cublasLt heuristic 3 of 24[^;]*; own kernels: wgmma, wgmma 128x256x64, 4 stages, cluster 2 1,725 power cap/,
  );
  assert.match(section, /FP32 matrix multiply cublasLt, tf32/);
  assert.match(section, /Library: libcublasLt\.so\.13, version 13\.1\.0\./);
  assert.ok(!text.includes('…'));
});

test('first proposal, drift and power of each product stand below; one that had not settled says so', async () => {
  const text = flat(pdfText(await renderPdf(gemmTask(1))));
  // 1.1 x 715 = 786.5; 0.97 x 715 = 693.6; 640 W / 715 TFLOP/s = 0.895 J per TFLOP; 0.96 x 60.1 = 57.7
  assert.match(
    text,
    /BF16 matrix multiply sustained 786\.5, n 50 693\.6 715\.0 715\.0 yes 640\.0 655\.0 0\.8951 12\.50/,
  );
  assert.match(text, /FP64 matrix multiply sustained 66\.11, n 50 58\.30 57\.70 60\.10 no 640\.0/);
  const own = flat(pdfText(await renderPdf(gemmTask(1, [0]))));
  assert.match(own, /BF16 matrix multiply sustained 759\.0, n 50 – 690\.0 690\.0 yes/, 'own kernels have no proposals');
  assert.match(own, /more than 2 % apart it had not settled/);
});

test('without a library the reason stands there, and every cell of it is empty instead of 0', async () => {
  const text = flat(pdfText(await renderPdf(gemmTask(1, [0]))));
  assert.match(text, /BF16 matrix multiply own kernels 690\.0 69\.7 % – 690\.0 948\.0/);
  assert.ok(
    text.includes(`No figure of the vendor library: ${NO_LIBRARY} (FP32, FP32 lanes, FP64, FP16, BF16, FP8, Mixed).`),
  );
  assert.match(text, /Engine gpumark's own kernels/);
});

test('a node of both engines says on its first page that its sums hold both, and compares no cards by them', async () => {
  const pages = pdfPages(await renderPdf(gemmTask(8, [0, 3])));
  assert.match(flat(pages[0]), /bf16 [\d.]+ TFLOP\/s per GPU, median of 8, [\d.]+ to [\d.]+ \(both engines/);
  assert.match(flat(pages[0]), /GPU 0 and GPU 3 .*6 measured with the vendor's library, 2 with gpumark's own kernels/);
  const text = flat(pages.join(' '));
  assert.match(text, /so the devices are not compared by it; run with --engine own/);
  assert.match(text, /BF16 matrix multiply own kernels 2 devices: GPU 0, GPU 3 687\.9 – 690\.0 69\.5 % – 69\.7 %/);
  assert.match(text, /FP8 matrix multiply vendor library 6 devices: .* 16\.8 %/);
  assert.ok(!text.includes('…'));
});

test('nodes are compared only with nodes of the same engine', () => {
  const place = (index: number, withoutLibrary: number[]) =>
    gemmNode(1, withoutLibrary, { hostname: `n${index}`, taskId: String(index) });
  const nodes = [0, 1, 2, 3, 4, 5].map((index) => place(index, index < 3 ? [] : [0]));
  nodes.push(gemmNode(2, [0], { hostname: 'both', taskId: '9' }));
  const [bf16] = nodeStandings(nodes.map(summarise), judgedJob(nodes));
  // 690 beside 715 would be 3.5 % behind
  assert.deepEqual(
    bf16?.standings.map(({ name, deviation, of }) => [name, deviation, of]),
    nodes.slice(0, 6).map(({ hostname }) => [hostname, 0, 3]),
  );
});

/** A node of cards without 16-bit figures, so that fp32 is its headline, each in the arithmetic named. */
function fp32Node(hostname: string, kinds: readonly ('tf32' | 'ieee fp32')[]): ReturnType<typeof gemmNode> {
  const results = gemmResults(kinds.length);
  results.test_results.forEach((device, place) => {
    const arithmetic = kinds[place];
    const fp32_tflops = arithmetic === 'tf32' ? 364 : 51;
    const record = device.details['fp32_tflops'] as object;
    const details = { ...device.details, fp32_tflops: { ...record, value: fp32_tflops, arithmetic } };
    Object.assign(device, { bf16_tflops: null, fp16_tflops: null, fp32_tflops, details });
  });
  return gemmNode(kinds.length, [], { hostname, taskId: hostname, results: [quickMark(results)] });
}

test('fp32 of nodes and devices is held against the same arithmetic only, and a sentence says so', async () => {
  const nodes = ['tf32', 'ieee fp32'].flatMap((kind) =>
    [0, 1, 2].map((place) => fp32Node(`${kind === 'tf32' ? 'a' : 'b'}${place}`, [kind as 'tf32' | 'ieee fp32'])),
  );
  const [fp32] = nodeStandings(nodes.map(summarise), judgedJob(nodes));
  assert.equal(fp32?.metric, 'fp32_tflops');
  // 51 beside 364 would be 86 % behind
  assert.deepEqual(
    fp32.standings.map(({ deviation, of }) => [deviation, of]),
    Array.from({ length: 6 }, () => [0, 3]),
  );
  const both = fp32Node('both', ['tf32', 'tf32', 'tf32', 'ieee fp32']);
  assert.deepEqual(nodeStandings([both, both, both].map(summarise), judgedJob([both]))[0]?.standings, []);
  assert.deepEqual(
    both.judgement.findings.filter(({ rule, figures }) => rule === 'peers' && figures.includes('fp32_tflops')),
    [],
  );
  const text = flat(pdfText(await renderPdf({ kind: 'task', customer, job, node: both })));
  const words = 'computed in TF32 and IEEE fp32, so the devices are not compared by it';
  assert.equal(text.split(words).length - 1, 1, text);
});

test('what the coordinator did not compare is told in the job, with the names of the figures', async () => {
  const notes = ['bf16_tflops: not compared with 8 other machines of this model: for a reason'];
  const performance = { status: 'unknown' as const, score: null, metrics: [], notes };
  const report = jobOf([gemmNode(1), gemmNode(1, [0], { hostname: 'other', taskId: '2' })], { performance });
  const text = flat(pdfText(await renderPdf(report)));
  assert.match(text, /BF16 matrix multiply, vendor library 1 of 2 715\.0 715\.0 715\.0/);
  assert.match(text, /BF16 matrix multiply, own kernels 1 of 2 690\.0 690\.0 690\.0/);
  assert.match(
    text,
    /Comparison with peers and the data sheet BF16 matrix multiply: not compared with 8 other machines/,
  );
});

test('a processor has one engine and no published rate: its report has neither column nor section', async () => {
  const text = flat(pdfText(await renderPdf(cpuTask())));
  assert.ok(!text.includes(SECTION) && !text.includes('Of published'));
  assert.match(text, /Engine gpumark's own kernels/);
});
