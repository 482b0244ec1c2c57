import { readFileSync } from 'node:fs';

/**
 * `PID-START` of a process, with the start time in clock ticks since boot (field 22 of /proc/PID/stat), which distinguishes
 * processes that reuse an id. Null if there is no such process.
 */
export function processIdentity(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name (field 2) is in parentheses and may contain spaces and parentheses; field 3 follows the last one.
    const started = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return started === undefined ? null : `${pid}-${started}`;
  } catch {
    return null;
  }
}

/** Whether the process with this `PID-START` is still running. */
export const isRunning = (identity: string): boolean => processIdentity(Number(identity.split('-')[0])) === identity;
