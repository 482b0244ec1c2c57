import { heading } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

const words: readonly [word: string, meaning: string][] = [
  [
    'good, check, bad',
    'Good: nothing to do. Check: look at it before relying on it. Bad: do not use it as it is. Each rule says which of them its finding is.',
  ],
  ['not measured', 'There is no value, for the reason beside it. It is never zero, and never taken for good.'],
  ['median, n', 'The middle one of n samples, or of n devices: half of them are above it, half below.'],
  ['p5–p95', 'The range between the 5th and the 95th percentile of the samples: nine tenths of them lie in it.'],
  [
    'cv',
    'Coefficient of variation: standard deviation over mean. Up to about 1 % a figure is steady; above 10 % something else used the machine, or it was slowed.',
  ],
  ['TFLOP/s', '1e12 operations a second; a multiply-add counts as two, a product of m × n × k as 2mnk.'],
  ['GB/s, Gb/s', '1e9 bytes, or 1e9 bits, a second. Eight Gb/s are one GB/s.'],
  [
    'bf16, fp16, fp8, TF32',
    'Formats of numbers. Products of them run on matrix units; the sum is kept in fp32 unless the figure says otherwise.',
  ],
  [
    'triad',
    'The usual test of memory bandwidth (STREAM): a = b + s × c over arrays far larger than the cache. Two reads and one write are counted.',
  ],
  [
    'engine',
    "Whose program computed a product: the vendor's library, found on the machine, or gpumark's own kernels. Figures of different engines are not compared.",
  ],
  [
    'load class',
    'How long the card had worked before its figure was taken. Brief: too short to show what it sustains. Sustained: after 1.6 s of the same work, over at least 1.2 s. Settled: after two minutes, first and last quarter within 2 %. Burst: the first quarter of a second. Only figures of one class are compared.',
  ],
  [
    'data sheet, peak',
    "The maker's published rate, without sparsity. Hardly a card reaches it under load: a share of it alone proves nothing.",
  ],
  [
    'healthy cards',
    'The range of the share that sound cards of the model have reached where we or others measured it.',
  ],
  [
    'issue peak',
    'Matrix instructions on registers alone, without memory: what the units could do if data came for free.',
  ],
  [
    'peers',
    "Devices of the same model in this node, or other customers' machines of the model; the text says which. Each customer has one vote.",
  ],
  [
    'copy, direction',
    'A copy from one GPU of a node to another: alone, and with one in the other direction. Each direction is judged by itself.',
  ],
  ['link', 'A connection between two nodes. Its expected rate is what its two ends reach with others.'],
  ['signal', 'What drivers, kernel logs and counters say of a card or machine before and after the run.'],
];

/** Every term that the report uses without explaining it, in plain words. */
export function glossarySection(paper: Paper): void {
  if (!heading(paper, 'Words', 80)) return;
  table(
    paper,
    [
      { title: 'Word', share: 20 },
      { title: 'Meaning', share: 80, maxLines: 5 },
    ],
    words.map(([word, meaning]) => [{ text: word, font: 'bold' }, meaning]),
  );
}
