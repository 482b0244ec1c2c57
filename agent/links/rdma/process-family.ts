import { readFileSync } from 'node:fs';

/** The process and all its descendants, by the kernel's list of children (proc(5)). */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(familyOf)];
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // It has just ended, or this kernel has no such list.
    return [];
  }
}
