import type { GpuPeak } from './gpu-peak.ts';
import { amdPeaks } from './gpu-peaks-amd.ts';
import { nvidiaDataCentrePeaks } from './gpu-peaks-nvidia-data-centre.ts';
import { nvidiaRtxPeaks } from './gpu-peaks-nvidia-rtx.ts';

/** Every model we hold published figures of. */
export const gpuPeaks: readonly GpuPeak[] = [...nvidiaDataCentrePeaks, ...nvidiaRtxPeaks, ...amdPeaks];

/**
 * Names of what is not the whole card of the data sheet: a MIG slice, a virtual GPU ("GRID A100-10C", "A10-24Q"), a
 * laptop's part of the same number.
 */
const partOrOther = /\b(MIG|GRID|vGPU|Laptop|Mobile|Embedded)\b|with Max-Q|-\d+[ABCQ]$/i;

/** The published figures of the model a driver reports, or null if we hold none: never a near relative's. */
export function gpuPeak(reportedModel: string): GpuPeak | null {
  const name = plainName(reportedModel);
  if (partOrOther.test(name)) return null;
  return gpuPeaks.find(({ reported }) => reported.test(name)) ?? null;
}

/** A reported name as it reads: one form per letter, nothing invisible, single spaces. */
export const plainName = (reported: string): string =>
  reported
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Whether a device is less than the card that its name may say: a MIG slice, or an AMD card in another mode than the whole one (SPX). */
export function isPart({ device_id, attributes }: { device_id: string; attributes: Record<string, unknown> }): boolean {
  const partition = attributes['partition'];
  const compute =
    partition !== null && typeof partition === 'object' && 'compute' in partition ? partition.compute : null;
  return device_id.startsWith('MIG-') || (typeof compute === 'string' && !/^(SPX|N\/A)$/i.test(compute));
}

/**
 * What machines of one model have in common, however their drivers or their senders spell it: the published card where we
 * hold it, else the plain name.
 */
export function modelKey(vendor: string, reported: string): string {
  const peak = vendor === 'cpu' ? null : gpuPeak(reported);
  return `${vendor}|${peak?.name ?? plainName(reported).toLowerCase()}`;
}

/** Why a name cannot be what a driver calls that maker's device, in a sentence; null for an ordinary one. */
export function doubtOfName(vendor: string, reported: string): string | null {
  const peak: GpuPeak | null = gpuPeak(reported);
  if (peak !== null && peak.vendor !== vendor)
    return `${peak.name} is made by ${peak.vendor}, and the upload says ${vendor}`;
  // Letters of other alphabets that look like Latin ones would pass for a known model in every list.
  if (vendor !== 'cpu' && !/^[\x20-\x7e]+$/.test(plainName(reported)))
    return 'the name of the model holds letters that no driver writes';
  return null;
}
