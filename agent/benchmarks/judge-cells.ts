import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import { deviceNames } from '../../coordinator/figures/device-name.ts';
import { detailsOf } from '../kernels/runner-events.ts';
import type { CellEvent } from '../kernels/runner-events.ts';
import { judgePairs, type PairFinding } from '../../coordinator/figures/judge-pairs.ts';
import type { JudgedDevice } from '../../coordinator/figures/judge-spec-band.ts';
import { cutWords } from '../../coordinator/figures/cut-words.ts';

interface JudgedMatrix {
  cells: BandwidthCell[];
  warnings: string[];
}

/** Maximum number of warnings, since each failure may have its own message. */
const WARNINGS_MAX = 10;
const NAMED_PAIRS_MAX = 2;
/** The same limit as for the figures of a card. */
const SPREAD_MAX = 0.05;

/**
 * Every ordered pair of `devices`, some or all of those of the node, as a cell of `gpu_bandwidth_matrix`, with its verdict: verification, absence, spread, then the
 * links of the model and the other pairs (`judgePairs`).
 * @param notReported the reason for pairs that the runner did not report
 */
export function judgeCells(
  devices: readonly JudgedDevice[],
  events: readonly CellEvent[],
  notReported = 'the runner ended before it reported this pair',
  node: readonly JudgedDevice[] = devices,
): JudgedMatrix {
  const deviceIds = devices.map(({ device_id }) => device_id);
  const right = events.filter(({ verified }) => verified !== false).map((event) => ({ event, ...pathOf(event) }));
  const findings = new Map([...judgePairs(devices, right)].map(([{ event }, finding]) => [event, finding]));
  const judged: JudgedMatrix = { cells: [], warnings: [] };
  const doubtful: BandwidthCell[] = [];
  for (const source of deviceIds) {
    for (const target of deviceIds) {
      if (source === target) continue;
      const event = events.find((cell) => cell.source_device_id === source && cell.target_device_id === target);
      const cell =
        event === undefined ? missingCell(source, target, notReported) : judgeCell(event, findings.get(event));
      judged.cells.push(cell);
      if (cell.verdict === 'bad' || cell.verdict === 'warn' || hasFailed(event)) doubtful.push(cell);
    }
  }
  const names = deviceNames(node);
  const nameOf = new Map(node.map(({ device_id }, place) => [device_id, names[place] ?? device_id]));
  judged.warnings.push(...warningsOf(doubtful, judged.cells.length, nameOf));
  return judged;
}

/**
 * Lists up to two pairs with the same cause; if there are more, only the worst, since one slow switch affects dozens.
 * Every pair has its verdict in the matrix.
 */
function warningsOf(doubtful: readonly BandwidthCell[], count: number, names: ReadonlyMap<string, string>): string[] {
  const nameOf = (cell: BandwidthCell): string => `${names.get(cell.source_gpu)} to ${names.get(cell.target_gpu)}`;
  const wordsOf = (cell: BandwidthCell): string => cell.reason ?? 'doubtful';
  const causes = Map.groupBy(doubtful, (cell) => {
    const rule = wordsOf(cell).split(': ')[0] ?? '';
    return cell.verdict === 'absent' ? wordsOf(cell) : rule;
  });
  const lines = [...causes.values()].flatMap((group) => {
    if (group.length <= NAMED_PAIRS_MAX) return group.map((cell) => `copy ${nameOf(cell)}: ${wordsOf(cell)}`);
    const [worst] = group.toSorted(byBadness);
    return worst === undefined
      ? []
      : [`${group.length} of ${count} copies between GPUs, the worst ${nameOf(worst)}: ${wordsOf(worst)}`];
  });
  return lines.slice(0, WARNINGS_MAX);
}

const byBadness = (a: BandwidthCell, b: BandwidthCell): number =>
  Number(b.verdict === 'bad') - Number(a.verdict === 'bad') || (a.simplex_gbs ?? 0) - (b.simplex_gbs ?? 0);

/** Pairs missing because the run broke off are reported once, with the run. */
const hasFailed = (event: CellEvent | undefined): boolean =>
  event !== undefined && event.simplex_gbs === null && detailsOf(event).absence === 'failed';

function judgeCell(event: CellEvent, found: PairFinding | undefined): BandwidthCell {
  const [verdict, reason] = verdictOf(event, found);
  const isWrong = event.verified === false;
  const simplexSamples = isWrong || event.simplex_gbs === null ? undefined : event.stats?.n;
  const duplexSamples = isWrong || event.duplex_gbs === null ? undefined : event.duplex_stats?.n;
  return {
    ...pathOf(event),
    simplex_gbs: isWrong ? null : event.simplex_gbs,
    ...(simplexSamples === undefined ? {} : { simplex_samples: simplexSamples }),
    duplex_gbs: isWrong ? null : event.duplex_gbs,
    ...(duplexSamples === undefined ? {} : { duplex_samples: duplexSamples }),
    peer_access: event.peer_access,
    verdict,
    reason: reason == null ? null : cutWords(reason, 400),
  };
}

const pathOf = (event: CellEvent) => ({
  source_gpu: event.source_device_id,
  target_gpu: event.target_device_id,
  simplex_gbs: event.simplex_gbs,
  connection_type: event.connection_type.slice(0, 80),
});

function verdictOf(event: CellEvent, found: PairFinding | undefined): [BandwidthCell['verdict'], string | null] {
  if (event.verified === false)
    return ['bad', `verification: ${event.reason ?? 'the data received differs from the data sent'}`];
  if (event.simplex_gbs === null) return ['absent', event.reason];
  if (found?.verdict === 'bad') return [found.verdict, found.reason];
  const spread = Math.max(event.stats?.cv ?? 0, event.duplex_gbs === null ? 0 : (event.duplex_stats?.cv ?? 0));
  if (spread > SPREAD_MAX) return ['warn', `spread above ${SPREAD_MAX * 100} %: other work on the path`];
  return found === undefined ? ['ok', event.reason] : [found.verdict, found.reason];
}

const missingCell = (source: string, target: string, reason: string): BandwidthCell => ({
  source_gpu: source,
  target_gpu: target,
  simplex_gbs: null,
  duplex_gbs: null,
  connection_type: 'unknown',
  peer_access: null,
  verdict: 'absent',
  reason: cutWords(reason, 400),
});
