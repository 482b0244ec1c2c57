import type { Fault } from './matrix-faults.ts';

const [deep, shallow] = ['sgemm_128x256x16', 'sgemm_128x256x8'];

/** Faults of the fp32 products on the ordinary lanes. */
export const lanesFaults: readonly Fault[] = [
  {
    what: 'operands read before their copies are waited for, one group too many being allowed',
    file: 'lanes.h',
    right: '        copies.template wait<S::kStages - 2>();\n        block_barrier',
    spoiled:
      '        if (!FAULT) copies.template wait<S::kStages - 2>(); else copies.template wait<S::kStages - 1>();\n        block_barrier',
    kernel: deep,
  },
  {
    what: 'the first tile read before it is there',
    file: 'lanes.h',
    right: '  copies.template wait<S::kStages - 2>();\n  block_barrier',
    spoiled:
      '  if (!FAULT) copies.template wait<S::kStages - 2>(); else copies.template wait<S::kStages - 1>();\n  block_barrier',
    kernel: shallow,
  },
  {
    what: 'tiles of other threads read without a barrier',
    file: 'lanes.h',
    right: 'block_barrier(S::kThreads);\n        write',
    spoiled: 'if (!FAULT) block_barrier(S::kThreads);\n        write',
    kernel: shallow,
  },
  {
    what: 'copies on the ordinary lanes to the stage that is being read',
    file: 'lanes.h',
    right: 'sources.copy(copies, write, step',
    spoiled: 'sources.copy(copies, FAULT ? sources.place_in(read) : write, step',
    kernel: deep,
  },
  {
    what: 'a group that ends before the last copies of its tile',
    file: 'lanes.h',
    right: 'if (step == kStarts * kApart) {\n        copies.commit();',
    spoiled:
      'if (FAULT && step == 0) copies.commit();\n      if (step == kStarts * kApart) {\n        if (!FAULT) copies.commit();',
    kernel: deep,
  },
  {
    what: 'rows whose copies meet at one bank of shared memory',
    file: 'lanes.h',
    right: 'return thread_index() / 8;',
    spoiled: 'return FAULT ? thread_index() / 8 % 4 * 8 + thread_index() / 32 : thread_index() / 8;',
    kernel: deep,
  },
  {
    what: 'lanes that share neither rows nor columns with their neighbours, so that their loads take twice as long',
    file: 'lanes.h',
    right:
      'row_ = warp / 2 * 32 + (lane / 2 % 2 + lane / 16 * 2) * 4;\n    column_ = warp % 2 * 128 + (lane % 2 + lane / 4 % 4 * 2) * 4;',
    spoiled:
      'row_ = warp / 2 * 32 + (FAULT ? lane / 8 : lane / 2 % 2 + lane / 16 * 2) * 4;\n    column_ = warp % 2 * 128 + (FAULT ? lane % 8 : lane % 2 + lane / 4 % 4 * 2) * 4;',
    kernel: shallow,
  },
  {
    what: 'a row of B read beyond the last',
    file: 'lanes.h',
    right: '(i - kRowsOfA) * kStep, args.n - 1)',
    spoiled: '(i - kRowsOfA) * kStep, FAULT ? ~0u : args.n - 1)',
    kernel: deep,
  },
  {
    what: 'columns written beyond the last',
    file: 'lanes.h',
    right: 'if (column >= args.n) continue;',
    spoiled: 'if (column >= args.n && !FAULT) continue;',
    kernel: shallow,
  },
];
