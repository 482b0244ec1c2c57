import type { z } from 'zod';
import { DomainError } from '../errors.ts';
import { boundsOf, type JsonBounds, scanJson, type Scanned, type Step, textToParse } from './scan-json.ts';
import { malformed, validationError } from './validation-error.ts';

/** Parses a body and returns the schema's output. Throws a validation error; `limit` is the route's, in bytes. */
export function checkBody(schema: z.ZodType, bytes: Uint8Array, limit: number): unknown {
  return checkValue(schema, bytes.length === 0 ? {} : parseJson(bytes, boundsOf(limit)));
}

function checkValue(schema: z.ZodType, value: unknown): unknown {
  let checked;
  try {
    checked = schema.safeParse(value);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // zod collects issues by spreading them into a call, which overflows the stack if there are very many.
    if (error instanceof RangeError) throw malformed('body', null, 'is wrong in too many places to list', 'too_big');
    throw error;
  }
  if (!checked.success) throw validationError('json', checked.error.issues);
  return checked.data;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON without loss: integers beyond 2^53 become decimal strings (ids have 19 digits). Throws a validation error
 * for bytes that are not UTF-8, text that is not JSON, NUL, lone surrogates, more than 64 levels of nesting, and text that
 * exceeds `bounds`. Costs one scan of the bytes in addition to the parse, whatever they contain.
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds = boundsOf(bytes.length * 16)): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const scanned = scan(buffer, bounds);
  const value = parse(decode(textToParse(scanned)), scanned);
  if (scanned.badText) throw badText(buffer, scanned.badText.path);
  if (!scanned.prototypes.every((path) => dropPrototype(buffer, value, path))) dropAllPrototypes(value);
  return value;
}

function scan(bytes: Buffer, bounds: JsonBounds): Scanned {
  try {
    return scanJson(bytes, bounds);
  } catch (error) {
    // Bytes that are not UTF-8 are refused for that reason, whatever else is wrong with them.
    decode(bytes);
    throw error;
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw malformed('body', null, 'must be UTF-8', 'json_invalid');
  }
}

function parse(text: string, { longIntegers }: Scanned): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The parser's own message quotes the body, which may hold a password
    const position = /position (\d+)/.exec(error.message)?.[1];
    throw malformed(
      'body',
      null,
      position === undefined
        ? 'is not valid JSON'
        : `is not valid JSON at character ${Number(position) - addedBefore(text, Number(position), longIntegers)}`,
      'json_invalid',
    );
  }
}

/** How many quotes we inserted before this character of the parsed text. */
function addedBefore(text: string, position: number, places: Uint32Array): number {
  const at = Buffer.byteLength(text.slice(0, position));
  const behind = places.findIndex((place, added) => place + added >= at);
  return behind === -1 ? places.length : behind;
}

function badText(bytes: Buffer, path: readonly Step[] | null): Error {
  if (path === null)
    return malformed('body', null, 'must have valid text without NUL characters as field names', 'value_error');
  const step = path.at(-1);
  const name = step === undefined ? null : String(nameOf(bytes, step));
  return malformed('body', name, 'must be valid text without NUL characters', 'value_error');
}

/** Removes a field `__proto__`: no operation has one, and copying it would replace a prototype. False if `path` has none. */
function dropPrototype(bytes: Buffer, root: unknown, path: readonly Step[]): boolean {
  let holder: unknown = root;
  for (const step of path) {
    const name = nameOf(bytes, step);
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return false;
    holder = (holder as Record<string | number, unknown>)[name];
  }
  return typeof holder === 'object' && holder !== null && dropOwn(holder);
}

function dropOwn(holder: object): boolean {
  return Object.hasOwn(holder, '__proto__') && Reflect.deleteProperty(holder, '__proto__');
}

/**
 * Removes every `__proto__` field of the value, for texts whose paths do not match it: the parse keeps only the last field of
 * a repeated name, and JSON.parse in node 26.10 occasionally mistakes a name with an escape for another. Recurses no deeper
 * than the scan allows.
 */
function dropAllPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  dropOwn(value);
  for (const inner of Object.values(value)) dropAllPrototypes(inner);
}

const nameOf = (bytes: Buffer, step: Step): string | number =>
  typeof step === 'number' ? step : String(JSON.parse(bytes.toString('utf8', step.from, step.to)));
