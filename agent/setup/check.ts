import type { ExitReason } from '../run/exit-error.ts';

/** Result of one check of the machine. */
export interface Check {
  name: string;
  /** ok; note: nothing to do; missing: can be installed, a run works without it; broken: a run cannot work */
  state: 'ok' | 'note' | 'missing' | 'broken';
  found: string;
  remedy: string | null;
  /** For a broken check: the exit reason of a run. */
  exit: ExitReason | null;
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, remedy: null, exit: null });
export const note = (name: string, found: string): Check => ({ name, state: 'note', found, remedy: null, exit: null });
export const missing = (name: string, found: string, remedy: string): Check => ({
  name,
  state: 'missing',
  found,
  remedy,
  exit: null,
});
export const broken = (name: string, found: string, remedy: string | null, exit: ExitReason): Check => ({
  name,
  state: 'broken',
  found,
  remedy,
  exit,
});
