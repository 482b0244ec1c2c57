import { fp32Mode, isPart, specPeak } from '../../coordinator/figures/gpu-peaks.ts';
import { detailsOf } from './runner-events.ts';
import type { DeviceEvent, ResultEvent } from './runner-events.ts';

/** A throughput compared with the data sheet's: TFLOP/s, dense. */
interface SpecShare {
  fraction_of_spec_peak: number;
  spec_peak_tflops: number;
}

/**
 * The share of the published rate that a result reaches. Null if there is no such rate: for a processor, for a model or
 * figure without a data sheet, for a part of a card, and for a simulated card, which has the name of a real one and the
 * speed of this machine.
 */
export function specShare(device: DeviceEvent, result: ResultEvent): SpecShare | null {
  if (!isWholeCard(device) || result.value === null || result.verified === false) return null;
  const { mode, path } = detailsOf(result);
  const published = specPeak(device.name, result.metric, {
    mode: fp32Mode(mode),
    path: path ?? null,
  });
  if (published === null || published.tflops <= 0) return null;
  const fraction = result.value / published.tflops;
  return { fraction_of_spec_peak: Number(fraction.toFixed(4)), spec_peak_tflops: published.tflops };
}

/** Whether the data sheet applies: not a MIG instance, and not an AMD card in a partitioned mode (other than SPX). */
const isWholeCard = (device: DeviceEvent): boolean => device.vendor !== 'cpu' && !device.simulated && !isPart(device);
