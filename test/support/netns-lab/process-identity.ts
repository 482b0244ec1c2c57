import { readFileSync } from 'node:fs';

/**
 * `PID-START` of a process, start in clock ticks since boot (field 22 of /proc/PID/stat): a process id that was given out
 * again is told from its predecessor. Null: there is none.
 */
export function processIdentity(pid: number): string | null {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name (field 2) stands in parentheses and may hold spaces; field 3 follows the last one.
    const started = line.slice(line.lastIndexOf(')') + 2).split(' ')[19];
    return started === undefined ? null : `${pid}-${started}`;
  } catch {
    return null;
  }
}

/** Whether the process that `PID-START` names still runs. */
export const isRunning = (identity: string): boolean => processIdentity(Number(identity.split('-')[0])) === identity;
