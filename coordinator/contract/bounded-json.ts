import type { z } from 'zod';

interface JsonBounds {
  /** as Postgres writes it, see `jsonSize` */
  bytes: number;
  /** levels of arrays and objects, including the value itself */
  depth: number;
  /** elements and members at all levels together */
  members: number;
  /** Largest number, in either direction; absent: what a number can be. Those that JSON.parse made infinite exceed any. */
  number?: number;
}

interface JsonSize {
  bytes: number;
  depth: number;
  members: number;
  largest: number;
}

/** Restricts a schema to values within bounds; a larger value is one issue that names its size, the bound and the remedy. */
export const boundedJson = <T extends z.ZodType>(schema: T, bounds: JsonBounds, remedy: string): T =>
  schema.refine((value) => overBounds(value, bounds) === null, {
    error: ({ input }) => `${overBounds(input, bounds) ?? 'is too large'}; ${remedy}`,
  });

/** An object without one member, which has bounds of its own. */
export const without = (name: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).filter(([member]) => member !== name))
    : value;

/** Which bound a value exceeds, as the end of a sentence; null if it is within all of them. */
export function overBounds(value: unknown, bounds: JsonBounds): string | null {
  const size = jsonSize(value, bounds.depth);
  if (size.depth > bounds.depth) return `nests deeper than ${bounds.depth} levels`;
  if (size.members > bounds.members)
    return `has ${size.members} members and elements; at most ${bounds.members} are kept`;
  if (size.largest > (bounds.number ?? Number.MAX_VALUE))
    return `holds a number that cannot be kept exactly (${size.largest === Infinity ? 'beyond 1.8e308' : size.largest})`;
  if (size.bytes > bounds.bytes) return `is ${size.bytes} bytes; at most ${bounds.bytes} are kept`;
  return null;
}

/**
 * The size of a JSON value as Postgres writes it from a jsonb column: with escapes, and numbers without an exponent, so
 * that 1e308 has 309 digits. Goes no deeper than one level below `levels`.
 */
export function jsonSize(value: unknown, levels: number): JsonSize {
  const size = { bytes: 0, depth: 0, members: 0, largest: 0 };
  measure(value, 1, levels, size);
  return size;
}

function measure(value: unknown, level: number, levels: number, size: JsonSize): void {
  if (typeof value === 'string') size.bytes += textBytes(value);
  else if (typeof value === 'number') {
    size.bytes += numberBytes(value);
    size.largest = Math.max(size.largest, Math.abs(value));
  } else if (typeof value !== 'object' || value === null) size.bytes += 5;
  else {
    size.depth = Math.max(size.depth, level);
    size.bytes += 2;
    if (level > levels) return;
    if (Array.isArray(value)) {
      size.members += value.length;
      for (const element of value) {
        size.bytes += 2;
        measure(element, level + 1, levels, size);
      }
      return;
    }
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      size.members += 1;
      size.bytes += textBytes(name) + 4;
      measure(member, level + 1, levels, size);
    }
  }
}

// oxlint-disable-next-line no-control-regex -- these are what JSON escapes
const escaped = /[\u0000-\u001F"\\]/;

const textBytes = (text: string): number =>
  escaped.test(text) ? Buffer.byteLength(JSON.stringify(text)) : Buffer.byteLength(text) + 2;

function numberBytes(number: number): number {
  const text = String(number);
  const exponent = text.indexOf('e');
  return exponent === -1 ? text.length : text.length + Math.abs(Number(text.slice(exponent + 1)));
}
