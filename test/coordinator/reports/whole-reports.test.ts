import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthRules } from '../../../coordinator/figures/health-rules.ts';
import { subjectLine } from '../../../coordinator/figures/findings/finding-words.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import type { Report } from '../../../coordinator/reports/report-model.ts';
import { resultSetHash } from '../../../coordinator/reports/facts/result-hash.ts';
import { ANNEX } from '../../../coordinator/reports/sections/annex.ts';
import { rack, runs } from './examples/acceptance.ts';
import { gemmTask } from './examples/gemm-gpus.ts';
import { judgedTask } from './examples/judged-gpus.ts';
import { cpuTask, failedTask, nullTask, simulatedTask, unicodeTask } from './examples/reports.ts';
import { BREAK, pdfPages, pdfText, pdfTexts } from './pdf-text.ts';

const all: Record<string, () => Report> = {
  ...runs,
  'processor, alone': cpuTask,
  'simulated node': simulatedTask,
  'nothing measured': nullTask,
  'failed machine': failedTask,
  'names in many scripts': unicodeTask,
  'judged node of 2': () => judgedTask(2),
  'judged node of 8': () => judgedTask(8),
  'judged node of 64': () => judgedTask(64),
  'both engines': () => gemmTask(8, [0, 3]),
};
const flat = (text: string | undefined): string => (text ?? '').replaceAll(/\s+/g, ' ');

/** Digits on both sides of a break, or a break inside 1,234 or 12.5. */
const BROKEN = new RegExp(
  `\\d${BREAK}\\d|\\d${BREAK}[.,]\\d|\\d\\.${BREAK}\\d|(?<![\\w.-])\\d{1,3}(?:,\\d{3})*,${BREAK}\\d{3}(?!\\d)`,
);

for (const [name, report] of Object.entries(all)) {
  test(`${name}: no number is broken, no page is empty, no sentence is odd`, async () => {
    const pdf = await renderPdf(report());
    for (const [page, texts] of pdfTexts(pdf).entries()) {
      for (const text of texts) assert.doesNotMatch(text, BROKEN, `page ${page + 1}`);
      // Every page has a footer of three texts and, from the second on, a header.
      assert.ok(texts.length > 6, `page ${page + 1} is empty: ${texts.join(' | ')}`);
    }
    const text = pdfText(pdf);
    assert.doesNotMatch(
      text,
      /\d\.\d+ (compared|passes)|other 1 |\b1 (GPUs|nodes|links|devices)\b|undefined|NaN|\[object/,
    );
    assert.doesNotMatch(text, /doubtful|failed check/);
    const annex = text.indexOf(`${ANNEX} How the figures`);
    if (annex !== -1) assert.doesNotMatch(text.slice(0, annex), /\bkc \d|\bmc \d|held until enqueued|heuristic \d+ of/);
  });

  test(`${name}: the first page says the verdict in the words of every other surface, and nothing else follows on it`, async () => {
    const made = report();
    const [first = ''] = pdfPages(await renderPdf(made));
    const page = flat(first);
    const judgement = made.kind === 'job' ? made.judgement : made.node.judgement;
    assert.ok(judgement);
    const isOpen = made.kind === 'job' && made.job.state === 'running';
    const areProcessors = page.includes('CPU measurement');
    assert.ok(page.includes(isOpen ? 'Not finished' : subjectLine(judgement.verdict, areProcessors)), page);
    for (const words of ['What to do', 'Not measured', 'Criteria', 'none attached', 'Prepared by', 'Accepted by'])
      assert.ok(page.includes(words), words);
    assert.ok(page.includes(resultSetHash(made) ?? 'based on no result'));
    assert.doesNotMatch(page, /Inventory|Spread of the samples|How it was taken/);
  });
}

test('64 cards: each fault stands on the first page with place, evidence and action, the worst first', async () => {
  const report = runs['rack of 64 with three faults']?.();
  assert.ok(report);
  const page = flat(pdfPages(await renderPdf(report))[0]);
  assert.match(page, /64 × NVIDIA H100/);
  assert.match(
    page,
    /gpu-007 sends at 0\.41 of what its peers do \(7\.8 of 19\.1 Gb\/s\) Check its NIC, cable and switch port/,
  );
  assert.match(page, /gpu-007, GPU 7 .{0,80}behind the median/);
  assert.match(page, /gpu-004, GPU 2 .{0,120}Return the part/);
  assert.match(page, /Compute bf16 [\d.]+ TFLOP\/s per GPU, median of 64/);
  assert.match(page, /Every node \(row\) and GPU \(column\) by its verdict 0 1 2 3 4 5 6 7/);
  for (const { nodes } of report.judgement?.findings ?? [])
    for (const node of nodes) assert.ok(page.includes(`gpu-00${node + 1}`));
});

test('a healthy rack has nothing to do, and says in what no problem was found', async () => {
  const page = flat(pdfPages(await renderPdf(rack(8, 8)))[0]);
  assert.match(page, /No problem found in 64 GPUs and 448 links/);
  assert.match(page, /What to do Nothing\./);
  assert.match(page, /64 of 64 good/);
});

test('every rule of health stands in the annex with condition, severity, action and how it is known', async () => {
  const text = flat(pdfText(await renderPdf(rack(1, 1))));
  const annex = text.slice(text.indexOf('Rules of health'));
  for (const { id, severity, source } of healthRules) {
    const at = annex.replaceAll(' ', '').indexOf(id);
    assert.ok(at >= 0, id);
    for (const words of [severity, source.document, `(${source.confidence})`]) assert.ok(annex.includes(words), id);
  }
  const rule = /row_remap_failed .{0,80}critical .{0,60}return the part .{0,120}\((read|one page|memory)\)/;
  assert.match(annex, rule);
});

test('the first page names the page on which the limits and the method begin', async () => {
  const pages = pdfPages(await renderPdf(rack(1, 8)));
  const said = /in the annex from page (\d+)/.exec(flat(pages[0]))?.[1];
  assert.ok(pages[Number(said) - 1]?.includes(ANNEX), `page ${said}`);
});
