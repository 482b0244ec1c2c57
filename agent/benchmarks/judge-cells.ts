import { cutWords } from '../../coordinator/figures/cut-words.ts';
import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import { detailsOf } from '../kernels/runner-events.ts';
import type { CellEvent } from '../kernels/runner-events.ts';
import { STOPPED } from '../../coordinator/figures/findings/figure-grade.ts';
import { judgePairs, type PairFinding } from '../../coordinator/figures/judge-pairs.ts';
import type { JudgedDevice } from '../../coordinator/figures/judge-spec-band.ts';

/** The same limit as for the figures of a card. */
const SPREAD_MAX = 0.05;

/**
 * Every ordered pair of `devices` as a cell of `gpu_bandwidth_matrix`, with its verdict: verification, absence, spread, then the
 * links of the model and the other pairs (`judgePairs`). A pair that could not be copied between is doubtful, one that has no
 * path or that a run did not get to is absent.
 * @param notReported the reason for pairs that the runner did not report
 */
export function judgeCells(
  devices: readonly JudgedDevice[],
  events: readonly CellEvent[],
  notReported = 'the runner ended before it reported this pair',
): BandwidthCell[] {
  const deviceIds = devices.map(({ device_id }) => device_id);
  const right = events.filter(({ verified }) => verified !== false).map((event) => ({ event, ...pathOf(event) }));
  const findings = new Map([...judgePairs(devices, right)].map(([{ event }, finding]) => [event, finding]));
  return deviceIds.flatMap((source) =>
    deviceIds
      .filter((target) => target !== source)
      .map((target) => {
        const event = events.find((cell) => cell.source_device_id === source && cell.target_device_id === target);
        return event === undefined ? missingCell(source, target, notReported) : judgeCell(event, findings.get(event));
      }),
  );
}

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
  if (event.simplex_gbs === null) {
    const reason = event.reason ?? 'the runner gave no reason';
    const hasFailed = detailsOf(event).absence === 'failed' && !reason.startsWith(STOPPED);
    return hasFailed ? ['warn', `absence: ${reason}`] : ['absent', event.reason];
  }
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
