import { epoch } from '../network-times.ts';

/** How many slots one plan takes, and the time allows. */
export function fitting(deadlineMs: number, startMs: number, slotMs: number): number {
  const wanted = Math.min(epoch.maxRounds, Math.max(1, Math.floor(epoch.maxMs / slotMs)));
  return Math.max(0, Math.min(wanted, Math.floor((deadlineMs - startMs) / slotMs)));
}
