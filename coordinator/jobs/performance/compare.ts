import { certain, type PeakFigure } from '../../contract/gpu-peak.ts';
import { gpuPeak } from '../../contract/gpu-peaks.ts';
import type { Performance } from '../../contract/job.ts';
import { engineNames, notCompared } from '../../contract/matrix-engine.ts';
import { OWN_MATRIX_FLOOR } from '../../contract/spec-band.ts';
import { keyMetrics, type KeyMetric, type ModelFigures, type PeerFigures } from './node-figures.ts';

/** Machines of the same model needed before their median is what one expects. */
export const fewestPeers = 8;
const UNDERPERFORMING_BELOW = 0.95;
const OUTPERFORMING_ABOVE = 1.05;

type Compared = Performance['metrics'][number] & { floor: number };

/**
 * Measured against expected: the median of at least `fewestPeers` other machines of the model, else the published peak,
 * else nothing. `peers` holds one entry per machine. The worst metric decides; a metric that was not measured is absent.
 * What different engines measured is not compared, and `notes` says so.
 */
export function comparePerformance(measured: ModelFigures, peers: readonly PeerFigures[]): Performance {
  const compared = keyMetrics.flatMap((metric) => {
    const value = measured.figures[metric];
    return value === null ? [] : [compareMetric(metric, value, measured, peers)];
  });
  const notes = engineNotes(measured, compared, peers);
  return {
    status: statusOf(compared),
    score: scoreOf(compared),
    metrics: compared.map(({ floor: _floor, ...metric }) => metric),
    ...(notes.length === 0 ? {} : { notes }),
  };
}

export const unknownPerformance: Performance = { status: 'unknown', score: null, metrics: [] };

/** Why a figure stands beside machines of its model without being held against them. */
function engineNotes(
  { bf16_engine: engine }: ModelFigures,
  compared: readonly Compared[],
  peers: readonly PeerFigures[],
): string[] {
  if (engine === 'mixed')
    return [`bf16_tflops: not compared: measured with ${engineNames.mixed}; run all with --engine own to compare`];
  const basis = compared.find(({ metric }) => metric === 'bf16_tflops')?.basis;
  const others = peers.filter((peer) => peer.bf16_by_other_engine === true).length;
  if (engine === null || basis === undefined || basis === 'peers' || others === 0) return [];
  const machines = `${others} other ${others === 1 ? 'machine' : 'machines'} of this model`;
  return [`bf16_tflops: ${notCompared(machines, engine, engine === 'own' ? 'vendor' : 'own')}`];
}

function compareMetric(
  metric: KeyMetric,
  value: number,
  measured: ModelFigures,
  peers: readonly PeerFigures[],
): Compared {
  const sample = peers.flatMap((peer) => peer[metric] ?? []).toSorted((a, b) => a - b);
  const common = { metric, value, sample_size: sample.length };
  if (sample.length >= fewestPeers) {
    const expected = median(sample);
    const percentile = rounded((100 * sample.filter((other) => other <= value).length) / sample.length, 1);
    return {
      ...common,
      expected,
      ratio: rounded(value / expected, 4),
      percentile,
      basis: 'peers',
      floor: UNDERPERFORMING_BELOW,
    };
  }
  const published = publishedFigure(metric, measured);
  if (published) {
    const { expected, floor } = published;
    return { ...common, expected, ratio: rounded(value / expected, 4), percentile: null, basis: 'spec', floor };
  }
  return { ...common, expected: null, ratio: null, percentile: null, basis: 'none', floor: 0 };
}

/** A published peak is no figure that a healthy part reaches, so it comes with the share that one does reach. */
function publishedFigure(
  metric: KeyMetric,
  { gpu_vendor, gpu_model, bf16_engine }: ModelFigures,
): { expected: number; floor: number } | null {
  const peak = gpu_vendor === 'cpu' ? null : gpuPeak(gpu_model);
  if (!peak) return null;
  const published = (figure: PeakFigure, floor: number) => {
    const expected = certain(peak, figure);
    return expected === null ? null : { expected, floor };
  };
  // The floor is of libraries: see spec-band.ts.
  if (metric === 'bf16_tflops') return published(metric, bf16_engine === 'own' ? OWN_MATRIX_FLOOR : peak.floors.bf16);
  if (metric === 'memory_bandwidth_gbs') return published(metric, peak.floors.memory);
  return null;
}

function statusOf(compared: readonly Compared[]): Performance['status'] {
  const based = compared.flatMap(({ ratio, floor }) => (ratio === null ? [] : [{ ratio, floor }]));
  if (based.length === 0) return 'unknown';
  if (based.some(({ ratio, floor }) => ratio < floor)) return 'underperforming';
  return based.every(({ ratio }) => ratio > OUTPERFORMING_ABOVE) ? 'outperforming' : 'nominal';
}

/** 100 times the geometric mean of the ratios: 100 is as expected. */
function scoreOf(compared: readonly Compared[]): number | null {
  const ratios = compared.flatMap(({ ratio }) => ratio ?? []);
  if (ratios.length === 0) return null;
  return rounded(100 * Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length), 1);
}

function median(sorted: readonly number[]): number {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? upper)) / 2;
}

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits));
