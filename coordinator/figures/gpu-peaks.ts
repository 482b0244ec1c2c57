import { amdPeaks } from './gpu-peaks-amd.ts';
import { nvidiaDataCentrePeaks } from './gpu-peaks-nvidia-data-centre.ts';
import { nvidiaRtxPeaks } from './gpu-peaks-nvidia-rtx.ts';
import type { GpuPeak } from './gpu-peak.ts';
import { plainName } from './plain-name.ts';

/** Every model we hold published figures of. */
export const gpuPeaks: readonly GpuPeak[] = [...nvidiaDataCentrePeaks, ...nvidiaRtxPeaks, ...amdPeaks];

/**
 * Names of what is not the whole card of the data sheet: a MIG slice, a virtual GPU ("GRID A100-10C", "A10-24Q"), a
 * laptop's part of the same number.
 */
const partOrOther = /\b(MIG|GRID|vGPU|Laptop|Mobile|Embedded)\b|with Max-Q|-\d+[ABCQ]$/i;

/** The published figures of the model a driver reports, or null where we hold none: never a near relative's. */
export function gpuPeak(reportedModel: string): GpuPeak | null {
  const name = plainName(reportedModel);
  if (partOrOther.test(name)) return null;
  return gpuPeaks.find(({ reported }) => reported.test(name)) ?? null;
}
