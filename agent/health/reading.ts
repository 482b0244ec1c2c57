import type { NodeSignal } from '../../coordinator/contract/health.ts';
import type { Probed } from '../inventory/probe.ts';
import type { SystemFiles } from '../inventory/system-files.ts';

/** One signal as it was read once: before the run, or after it. */
export interface Reading extends Pick<NodeSignal, 'signal' | 'of' | 'not_read'> {
  value: NonNullable<NodeSignal['value']> | null;
  /**
   * level: how it is · counter: only counts upwards · under_load: a level that only counts while the device works, since its link
   * slows down when idle
   */
  kind: 'level' | 'counter' | 'under_load';
  /** A counter that has reached the most that it can hold: it does not count any more. */
  full?: true;
}

/** The contract's limits; a text of the machine may hold anything. */
const OF_MAX = 80;
const TEXT_MAX = 200;

/** A reading of what was read, or of why it was not. */
export function reading(
  kind: Reading['kind'],
  signal: string,
  of: string | null,
  { value, reason }: Probed<number | boolean | string>,
): Reading {
  return {
    signal,
    ...(of === null ? {} : { of: printable(of, OF_MAX) }),
    value: typeof value === 'string' ? printable(value, TEXT_MAX) : value,
    ...(value === null ? { not_read: printable(reason ?? 'unknown', TEXT_MAX) } : {}),
    kind,
  };
}

export const level = (signal: string, of: string | null, value: Probed<number | boolean | string>): Reading =>
  reading('level', signal, of, value);
export const counter = (
  signal: string,
  of: string | null,
  count: Probed<number>,
  most = Number.MAX_SAFE_INTEGER,
): Reading => ({
  ...reading('counter', signal, of, count),
  ...(count.value !== null && count.value >= most ? { full: true } : {}),
});

/** What both readings of one signal have in common. */
export const keyOf = ({ signal, of = '' }: Pick<Reading, 'signal' | 'of'>): string => `${signal} ${of}`;

export const read = <T>(value: T): Probed<T> => ({ value, reason: null });
export const notRead = (reason: string): { value: null; reason: string } => ({ value: null, reason });

/** What `convert` makes of a text, which gives null if the text is not of that form. */
export function converted<T>(text: Probed<string>, convert: (text: string) => T | null): Probed<T> {
  if (text.value === null) return text;
  const value = convert(text.value);
  return value === null ? notRead(`it says '${text.value.slice(0, 60)}'`) : read(value);
}

/**
 * A count of a driver. All ones are what a device answers that has gone; a number that JSON cannot keep exactly is none that an
 * error counter reaches.
 */
export const countOf = (text: string): number | null =>
  /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null;

export const countIn = (files: SystemFiles, path: string): Probed<number> => converted(files.read(path), countOf);

/** Without control characters, which neither JSON readers nor terminals should get from a machine. */
const printable = (text: string, most: number): string =>
  text
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, most)
    .toWellFormed();
