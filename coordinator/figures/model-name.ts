import type { GpuPeak } from './gpu-peak.ts';
import { gpuPeak } from './gpu-peaks.ts';
import { plainName } from './plain-name.ts';

/**
 * What machines of one model have in common, however their drivers or their senders spell it: the published card where we
 * hold it, else the plain name.
 */
export function modelKey(vendor: string, reported: string): string {
  const peak = vendor === 'cpu' ? null : gpuPeak(reported);
  return `${vendor}|${peak?.name ?? plainName(reported).toLowerCase()}`;
}

/** Why a name is no driver's name of that maker's device, in a sentence; null for an ordinary one. */
export function doubtOfName(vendor: string, reported: string): string | null {
  const peak: GpuPeak | null = gpuPeak(reported);
  if (peak !== null && peak.vendor !== vendor)
    return `${peak.name} is made by ${peak.vendor}, and the upload says ${vendor}`;
  // Letters of other alphabets that look like Latin ones would pass for a known model in every list.
  if (vendor !== 'cpu' && !/^[\x20-\x7e]+$/.test(plainName(reported)))
    return 'the name of the model holds letters that no driver writes';
  return null;
}
