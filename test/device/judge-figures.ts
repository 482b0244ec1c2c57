import { median } from '../../coordinator/figures/statistics.ts';
import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import { type FigurePeer, type FigureSpec, figures } from './figures.ts';
import { fmaPeak } from './fma-peak.ts';
import { check, type JudgedRow } from './judged-row.ts';
import type { Turn } from './measure-rounds.ts';
import { readFigure, type Reading } from './read-figure.ts';

/** All figures of one device over all rounds. */
export function judgeFigures(device: DeviceEvent, turns: readonly Turn[]): JudgedRow[] {
  return figures.flatMap((spec) => {
    const readings = turns.map((turn) =>
      readFigure(
        spec,
        turn.run.results.filter((result) => result.device_id === device.device_id),
      ),
    );
    const row = withPeer(ownRow(spec, readings), spec.peers?.[0], device, turns, readings);
    return [row, ...furtherPeers(row, spec, device, turns, readings)];
  });
}

function ownRow(spec: FigureSpec, readings: readonly Reading[]): JudgedRow {
  const rounds = readings.map((reading) => reading.value);
  const had = readings.filter((reading) => reading.value !== null);
  const missing = readings.find((reading) => reading.value === null);
  const reason = missing?.value === null ? missing.reason : null;
  const spreads = had.map((reading) => reading.cv).filter((cv) => cv !== null);
  const row: JudgedRow = {
    ...overRounds(rounds),
    id: spec.id,
    label: spec.label,
    unit: spec.unit,
    reason,
    n: had.some((reading) => reading.n !== null) ? had.reduce((sum, reading) => sum + (reading.n ?? 0), 0) : null,
    cv_worst: spreads.length === 0 ? null : Math.max(...spreads),
    peer: null,
    ratio: null,
    checks: [],
  };
  if (reason !== null) {
    const expected = readings.every((reading) => reading.value !== null || reading.expected);
    row.checks.push(check('a figure in every round', null, {}, reason, expected ? 'skipped' : 'MISSED'));
    if (expected) return row;
  }
  if (spec.cv_at_most !== undefined) {
    row.checks.push(check('CV of every round', row.cv_worst, { at_most: spec.cv_at_most }, reason));
  }
  return row;
}

/** Median and spread of the rounds that have a number. */
export function overRounds(rounds: (number | null)[]): Pick<JudgedRow, 'median' | 'rounds' | 'spread'> {
  const numbers = rounds.filter((value) => value !== null);
  if (numbers.length === 0) return { median: null, rounds, spread: null };
  const middle = median(numbers);
  const spread = numbers.length < 2 || middle === 0 ? null : (Math.max(...numbers) - Math.min(...numbers)) / middle;
  return { median: middle, rounds, spread };
}

/** The row again with its ratio to one peer: of each round's two figures, then the middle of those. */
function withPeer(
  row: JudgedRow,
  peer: FigurePeer | undefined,
  device: DeviceEvent,
  turns: readonly Turn[],
  readings: readonly Reading[],
): JudgedRow {
  if (peer === undefined || row.checks.some((one) => one.verdict === 'skipped')) return row;
  const found = turns.map((turn, index) => peerOf(peer, device, turn, readings[index]));
  const values = found.map((one) => one.value);
  const ratios = values
    .map((value, index) => {
      const ours = row.rounds[index] ?? null;
      return value === null || ours === null ? null : ours / value;
    })
    .filter((ratio) => ratio !== null);
  const ratio = ratios.length === 0 ? null : median(ratios);
  const reason = found.find((one) => one.reason !== null)?.reason ?? null;
  const name = found.find((one) => one.value !== null)?.name ?? found[0]?.name ?? peer.from;
  const checks = [...row.checks];
  const atLeast = typeof peer.at_least === 'function' ? peer.at_least(device) : peer.at_least;
  if (atLeast !== null) {
    const otherwise = row.median === null ? 'MISSED' : 'no peer';
    const why = row.median === null ? row.reason : reason;
    checks.push(check(`ratio to ${peer.from}`, ratio, { at_least: atLeast }, why, otherwise));
  }
  return { ...row, peer: { name, median: overRounds(values).median, rounds: values, reason }, ratio, checks };
}

interface PeerValue {
  name: string;
  value: number | null;
  reason: string | null;
}

function peerOf(peer: FigurePeer, device: DeviceEvent, turn: Turn, ours: Reading | undefined): PeerValue {
  if (peer.from === 'clock') return clockPeak(peer.type, device, ours);
  if (peer.from === 'vendor') return vendorFigure(ours);
  const record = turn.peers.find((one) => one.peer === peer.from);
  if (record === undefined) return { name: peer.from, value: null, reason: `${peer.from} is not on this machine` };
  const name = record.version === null ? peer.from : `${peer.from} ${record.version}`;
  const figure = record.figures[peer.figure];
  if (figure === undefined)
    return { name, value: null, reason: record.reason ?? `${name} did not give ${peer.figure}` };
  return 'reason' in figure
    ? { name, value: null, reason: figure.reason }
    : { name, value: figure.rate ?? figure.median, reason: null };
}

/** The vendor's library in the same process, as the runner found it. */
function vendorFigure(ours: Reading | undefined): PeerValue {
  const name = "vendor's library";
  if (ours === undefined || ours.value === null) return { name, value: null, reason: 'there is no figure to compare' };
  const spec = { id: '', label: '', unit: '', metric: ours.result.metric, engine: 'vendor' as const };
  const theirs = readFigure(spec, [ours.result]);
  return theirs.value === null
    ? { name, value: null, reason: theirs.reason }
    : { name, value: theirs.value, reason: null };
}

/** What the lanes do at the clock that was counted during these very launches. */
function clockPeak(type: 'fp32' | 'fp64' | 'fp16', device: DeviceEvent, ours: Reading | undefined): PeerValue {
  const { architecture, sm_count } = device.attributes;
  const ghz = ours === undefined || ours.value === null ? undefined : ours.result.details['clock_ghz'];
  if (typeof ghz !== 'number')
    return { name: 'clock', value: null, reason: 'no clock was counted during the launches' };
  const known = typeof architecture === 'string' && typeof sm_count === 'number';
  const peak = known ? fmaPeak(architecture, type, sm_count, ghz) : null;
  if (peak === null) {
    return {
      name: 'clock',
      value: null,
      reason: `how many ${type} lanes ${String(architecture)} has is not in the table`,
    };
  }
  return { name: peak.words, value: peak.tflops, reason: null };
}

/** A line for each other peer that was there; its absence is not a fault. */
function furtherPeers(
  row: JudgedRow,
  spec: FigureSpec,
  device: DeviceEvent,
  turns: readonly Turn[],
  readings: readonly Reading[],
): JudgedRow[] {
  return (spec.peers ?? []).slice(1).flatMap((peer) => {
    if (peer.from !== 'vendor' && !turns.some((turn) => turn.peers.some((one) => one.peer === peer.from))) return [];
    const label = `  by ${peer.from}`;
    return [withPeer({ ...row, id: `${row.id}_${peer.from}`, label, checks: [] }, peer, device, turns, readings)];
  });
}
