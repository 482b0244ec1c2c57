import type { BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import type { RunFinding } from '../../contract/judgement.ts';
import { foundBy, ruleOfVerdict } from './rules.ts';

/** Copies of one cause up to this number are named one by one. */
const NAMED_MAX = 2;

interface DoubtfulCopy {
  cell: BandwidthCell;
  grade: 'bad' | 'check';
  ends: [source: number, target: number];
}

/**
 * Problems of the copies between the GPUs of a node. One slow switch affects dozens of pairs, so more than two of one cause are one
 * finding: of the device that all of them share, if there is one, with the worst pair named.
 */
export function copyFindings(cells: readonly BandwidthCell[], ids: readonly string[]): RunFinding[] {
  const doubtful = cells.flatMap((cell): DoubtfulCopy[] =>
    cell.verdict === 'bad' || cell.verdict === 'warn'
      ? [
          {
            cell,
            grade: cell.verdict === 'bad' ? 'bad' : 'check',
            ends: [ids.indexOf(cell.source_gpu), ids.indexOf(cell.target_gpu)],
          },
        ]
      : [],
  );
  const causes = Map.groupBy(doubtful, ({ cell }) => ruleOfVerdict(cell.reason ?? '', 'copy').rule);
  return [...causes.values()].flatMap((group) =>
    group.length <= NAMED_MAX ? group.map((copy) => findingOf([copy])) : [findingOf(group.toSorted(byBadness))],
  );
}

const byBadness = (a: DoubtfulCopy, b: DoubtfulCopy): number =>
  Number(b.grade === 'bad') - Number(a.grade === 'bad') || (a.cell.simplex_gbs ?? 0) - (b.cell.simplex_gbs ?? 0);

function findingOf(group: readonly DoubtfulCopy[]): RunFinding {
  const [worst] = group;
  if (worst === undefined) throw new RangeError('a finding needs a copy');
  const { rule, evidence } = ruleOfVerdict(worst.cell.reason ?? '', 'copy');
  const shared = worst.ends.filter((end) => end >= 0 && group.every(({ ends }) => ends.includes(end)));
  const all = [...new Set(group.flatMap(({ ends }) => ends))].filter((end) => end >= 0).toSorted((a, b) => a - b);
  const link = `GPU ${worst.ends[0]} to GPU ${worst.ends[1]}`;
  const id = rule === 'run_warning' ? 'copies_peers' : rule;
  if (group.length === 1) return foundBy(id, evidence, { grade: worst.grade, devices: all, link });
  return foundBy(id, `${group.length} copies between GPUs, the worst ${link}: ${evidence}`, {
    grade: worst.grade,
    devices: shared.length === 1 ? shared : all,
  });
}
