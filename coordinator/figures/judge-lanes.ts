import { gpuPeak, isPart } from './gpu-peaks.ts';
import { type Finding, type JudgedFigure, valueOf } from './judge-figure.ts';
import type { JudgedDevice } from './judge-spec-band.ts';

/** Multiply-adds that one multiprocessor finishes per clock. */
export type FmaType = 'fp32' | 'fp64' | 'fp16';

/**
 * NVIDIA: the table "Throughput of Native Arithmetic Instructions" (CUDA C++ Best Practices Guide since CUDA 13, Programming Guide
 * before), each number of an fp16 pair counted. AMD: vector peaks of the data sheets over units x clock, as MI300X 163.4 TFLOP/s
 * = 304 x 2.1 GHz x 2 x 128, which is the packed fp32 form; gfx90a packs too, though its sheets count the plain form. What is not
 * here has no peak to compare with: sm_103's fp64 for want of a source, RDNA because its drivers count units in two ways.
 */
export const fmasPerClock: Readonly<Record<string, Partial<Record<FmaType, number>>>> = {
  sm_75: { fp32: 64, fp64: 2, fp16: 128 },
  sm_80: { fp32: 64, fp64: 32, fp16: 256 },
  sm_86: { fp32: 128, fp64: 2, fp16: 128 },
  sm_89: { fp32: 128, fp64: 2, fp16: 128 },
  sm_90: { fp32: 128, fp64: 64, fp16: 256 },
  sm_100: { fp32: 128, fp64: 64 },
  sm_103: { fp32: 128 },
  sm_120: { fp32: 128, fp64: 2 },
  gfx90a: { fp32: 128, fp64: 64 },
  gfx942: { fp32: 128, fp64: 64 },
  gfx950: { fp32: 128, fp64: 64 },
};

/**
 * Share of lanes x counted clock below which lanes are missing or taken. One H100 SXM and one H200 reached 0.9745 in each of
 * three rounds (native/results, 2026-11-27), at every clock they had: a card that lacks 6 % of its lanes would reach 0.92.
 * Models of which no card was measured are not judged by it.
 */
export const LANES_AT_CLOCK = { share: 0.95, cards: 2, models: new Set(['H100 SXM', 'H200']) } as const;

/**
 * The multiply-add figures against lanes x multiprocessors x the clock counted during the launches. It sees what a single card's
 * floor cannot, since the clock does not matter: a few lanes that are missing, or that another program had.
 */
export function laneFindings(
  device: JudgedDevice,
  figures: readonly JudgedFigure[],
  details: (metric: string) => Record<string, unknown>,
): Finding[] {
  const peak = device.vendor === 'cpu' || device.simulated || isPart(device) ? null : gpuPeak(device.name);
  if (peak === null || !LANES_AT_CLOCK.models.has(peak.name)) return [];
  return figures.flatMap((figure): Finding[] => {
    const type = /^fma_(fp32|fp64)_tflops$/.exec(figure.metric)?.[1];
    const lanes = type === 'fp32' || type === 'fp64' ? fmasPerClock[peak.architecture]?.[type] : undefined;
    const [units, clock] = [device.attributes['sm_count'], details(figure.metric)['clock_ghz']];
    const value = valueOf(figure);
    if (lanes === undefined || value === null || typeof units !== 'number' || typeof clock !== 'number') return [];
    const most = (lanes * 2 * units * clock) / 1000;
    if (!(most > 0)) return [];
    const share = value / most;
    const words = `${share.toFixed(3)} of ${lanes} lanes x 2 x ${units} multiprocessors x ${clock.toFixed(3)} GHz, healthy cards 0.97: some lanes are missing, or other work had them`;
    const isLow = share < LANES_AT_CLOCK.share;
    return [{ metric: figure.metric, verdict: isLow ? 'warn' : 'ok', rule: 'lanes', reason: isLow ? words : null }];
  });
}

/** Why multiply-adds are slow, if the run says so: the clock that it counted beside the highest of the card. */
export function clockWords(device: JudgedDevice, metric: string, details: Record<string, unknown>): string {
  const [ran, most] = [details['clock_ghz'], device.attributes['clock_mhz_max']];
  if (typeof ran !== 'number' || typeof most !== 'number' || !metric.startsWith('fma_')) return '';
  return `; it ran at ${(ran * 1000).toFixed(0)} of ${most.toFixed(0)} MHz`;
}
