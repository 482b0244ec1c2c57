import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import { SIMULATED_WORDS } from '../../../coordinator/reports/sections/first-page.ts';
import { judgedTask } from './examples/judged-gpus.ts';
import { cpuTask, simulatedTask } from './examples/reports.ts';
import { pdfPages, pdfText } from './pdf-text.ts';

const flat = (text: string | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ');
const linkPages = (pages: string[]): string[] =>
  pages.filter((page) => /One direction at a time|Both directions at once, their/.test(page));

test('the matrix of eight GPUs stands on one page: every speed, N/A on the diagonal, the bad cell marked', async () => {
  const pages = pdfPages(await renderPdf(judgedTask(8)));
  assert.equal(linkPages(pages).length, 1);
  const page = flat(linkPages(pages)[0]);
  // 8 x 7 ordered pairs, one of them not measured
  assert.match(page, /One direction at a time: 55 pairs/);
  assert.equal([...page.matchAll(/N\/A /g)].length, 2 * 8, 'two matrices of eight devices');
  assert.match(page, /✗ 288\.4/);
  assert.match(page, /! 374\.2/);
  assert.match(page, /GPU 0 GPU 2 ✗ bad 288\.4 NVLink x18 26\.6 % below its peers/);
  assert.match(page, /GPU 0 GPU 4 – not measured – NVLink x18 out of memory/);
  // the verdict is that of one direction: the table of both marks nothing
  assert.equal([...page.matchAll(/✗ \d/g)].length, 1);
});

test('paths are told apart by a sign in the cell, with their access, count and range', async () => {
  const page = flat(linkPages(pdfPages(await renderPdf(judgedTask(8))))[0]);
  assert.match(page, /a NVLink x18 yes 55 288\.4 – 39\d\.\d – 39\d\.\d/);
  assert.match(page, /b host-staged \(no peer access\) no 1 21\.40 – 21\.40 – 21\.40/);
  const alike = judgedTask(8, ({ aggregate_results: aggregate }) => {
    aggregate.gpu_bandwidth_matrix = aggregate.gpu_bandwidth_matrix?.filter((cell) => cell.peer_access === true) ?? [];
  });
  assert.match(pdfText(await renderPdf(alike)), /Path Direct access .* NVLink x18 yes 55/);
});

test('sixteen GPUs fit both matrices on one page, and 64 are split into blocks of sixteen columns', async () => {
  assert.equal(linkPages(pdfPages(await renderPdf(judgedTask(16)))).length, 1);
  const pages = pdfPages(await renderPdf(judgedTask(64)));
  assert.ok(pages.length <= 54, `${pages.length} pages`);
  const text = pages.join(' ');
  // 64 x 63 pairs, one not measured; the head of the last block names the last device
  assert.match(text, /One direction at a time: 4,031 pairs/);
  assert.match(flat(text), /from \\ to GPU 48 GPU 49 .*GPU 63/);
  assert.match(text, /both directions at once are kept with the results/);
});

test('the devices of two makers have no cell between them, and that is not a fault', async () => {
  const report = judgedTask(4, ({ aggregate_results: aggregate, test_results }) => {
    const amd = new Set(test_results.slice(2).map(({ gpu_id }) => gpu_id));
    for (const device of test_results.slice(2)) device.vendor = 'amd';
    aggregate.gpu_bandwidth_matrix =
      aggregate.gpu_bandwidth_matrix?.filter((cell) => amd.has(cell.source_gpu) === amd.has(cell.target_gpu)) ?? [];
  });
  const page = flat(linkPages(pdfPages(await renderPdf(report)))[0]);
  // 2 + 2 measured pairs less the absent ones; 4 of the diagonal and 8 between the makers in each of two matrices
  assert.equal([...page.matchAll(/N\/A /g)].length, 2 * 12);
});

test('each GPU has its verdict with the rule that tripped, once on the first page and once among the checks', async () => {
  const pages = pdfPages(await renderPdf(judgedTask(8)));
  const first = flat(pages[0]);
  assert.match(first, /GPU 7 .{0,60}6\.9 % behind the median of the 8 devices/);
  assert.match(first, /What to do 1 GPU 0 to GPU 2 26\.6 % below its peers Check seat, riser and switch of the pair/);
  const checks = flat(pages.join(' ')).split('Checks of the figures')[1] ?? '';
  assert.match(
    checks,
    /GPU 0 ✗ bad figures: 2 to check, 12 good .*! check Highest temperature the card was slowed by heat/,
  );
  assert.match(checks, /GPU 7 ✗ bad figures: 1 bad, 1 to check, 12 good/);
  assert.match(checks, /Rules that the figures of GPU 0 passed\. .*0\.70 to 1\.00 of the 3350 GB\/s/);
});

test('a figure lost to a failed check is bad, and its value is nowhere on the first page', async () => {
  const report = judgedTask(2, ({ test_results: [device] }) => {
    if (!device?.verdicts) return;
    device.memory_bandwidth_gbs = null;
    device.unavailable = { memory_bandwidth_gbs: 'the result differs from its reference' };
    device.verdicts['memory_bandwidth_gbs'] = { verdict: 'bad', rule: 'verification' };
  });
  const first = flat(pdfPages(await renderPdf(report))[0]);
  assert.match(first, /Memory memory bandwidth [\d,]+ GB\/s per GPU, median of 1 of 2,/);
  assert.match(first, /✗ 1 bad, 1 good/);
});

test('alone and at once stand beside each other with the gap, and the node by its sums', async () => {
  const text = pdfText(await renderPdf(judgedTask(8)));
  // 2893 / 2950 - 1 = -1.9 %; sums 2900 + 2899 + ... + 2893 = 23172 and 8 x 2950 = 23600
  assert.match(text, /GPU 7 2,893 of 2,950 \(−1\.9\s%\) 27\.50 of 55\.00 \(−50\.0\s%\)/);
  assert.match(text, /Sum 23,172 of 23,600 \(−1\.8\s%\) 220\.0 of 440\.0/);
});

test('the source of the energy, what held a device back and its memory errors are told per device', async () => {
  const text = pdfText(await renderPdf(judgedTask(2)));
  assert.match(
    text,
    /GPU 0 NVML total energy counter gpu 5\.200 5\.310 0\.9790 ! power cap \(normal\), heat \(hardware\) 0 \/ 0/,
  );
  assert.match(text, /GPU 1 NVML total energy counter gpu 5\.200 5\.310 0\.9790 power cap \(normal\) 0 \/ 0/);
});

test('the inventory names each card and what its sources contradict each other on', async () => {
  const text = pdfText(await renderPdf(judgedTask(2)));
  for (const words of ['0000:17:00.0', '1652923001001', '96.00.74.00.01', 'whole'])
    assert.ok(text.includes(words), words);
  assert.match(text, /Card 0: nvidia-smi says driver 580\.65\.06, NVML says 575\.57\.08\./);
});

test('a simulated node stays marked on every page, and equal data gives equal bytes', async () => {
  const pdf = await renderPdf(judgedTask(8));
  assert.ok(pdf.equals(await renderPdf(judgedTask(8))));
  const pages = pdfPages(pdf);
  assert.ok(pages[0]?.includes(SIMULATED_WORDS));
  for (const page of pages.slice(1)) assert.ok(page.includes('SIMULATED'));
});

test('the report says which is the headline: all at work by the number that the agent tells, alone where it tells none', async () => {
  const before = pdfText(await renderPdf(judgedTask(2)));
  assert.match(before, /at once \/ alone - 1\. The headline figures are those of each device alone\./);
  const together = judgedTask(2, ({ test_results }) => {
    for (const device of test_results)
      device.details['bf16_tflops'] = { ...(device.details['bf16_tflops'] as object | undefined), cards_at_work: 2 };
  });
  const text = pdfText(await renderPdf(together)).replaceAll(/\s+/g, ' ');
  assert.match(
    text,
    /The headline figures are those with 2 devices at work; of the copies with the host, those of each device alone\./,
  );
});

test('a processor and an agent without copies get none of these sections', async () => {
  for (const report of [cpuTask(), simulatedTask()]) {
    const text = pdfText(await renderPdf(report));
    for (const title of ['Alone and all at once', 'Copies from GPU to GPU', 'Held back by'])
      assert.ok(!text.includes(title), title);
  }
});
