import { boundsOf, type JsonBounds } from './json-bounds.ts';
import { scanJson, type Scanned, type Step } from './scan-json.ts';
import { malformed } from './validation-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });
const QUOTE = 0x22;

/**
 * JSON bytes -> value, losing nothing: integers beyond 2^53 become decimal strings (ids have 19 digits). Throws a
 * validation error for bytes that are not UTF-8, text that is not JSON, NUL, lone surrogates, nesting over 64, and more
 * than `bounds` allow. Costs one scan of the bytes beside the parse itself, whatever they hold.
 */
export function parseJson(bytes: Uint8Array, bounds: JsonBounds = boundsOf(bytes.length * 16)): unknown {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = decode(buffer);
  const scanned = scanJson(buffer, bounds);
  const value = parse(scanned.longIntegers.length === 0 ? text : decode(quoted(buffer, scanned.longIntegers)), scanned);
  if (scanned.badText) throw badText(buffer, scanned.badText.path);
  for (const path of scanned.prototypes) dropPrototype(buffer, value, path);
  return value;
}

function decode(bytes: Buffer): string {
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

/** The bytes with quotes around each of the integers that begin and end at these places. */
function quoted(bytes: Buffer, places: readonly number[]): Buffer {
  const out = Buffer.allocUnsafe(bytes.length + places.length);
  let read = 0;
  let write = 0;
  for (const place of places) {
    // Most pieces are a number's digits; a call for each costs more than they do.
    if (place - read < 64) while (read < place) out[write++] = bytes[read++] ?? 0;
    else {
      write += bytes.copy(out, write, read, place);
      read = place;
    }
    out[write++] = QUOTE;
  }
  bytes.copy(out, write, read);
  return out;
}

/** How many of our quotes stand before this character of the text that was parsed. */
function addedBefore(text: string, position: number, places: readonly number[]): number {
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

/** A field of that name is nothing that any operation has; copied about, it would replace a prototype. */
function dropPrototype(bytes: Buffer, root: unknown, path: readonly Step[]): void {
  let holder: unknown = root;
  for (const step of path) {
    const name = nameOf(bytes, step);
    // The same name twice: the parse has kept the last.
    if (typeof holder !== 'object' || holder === null || !Object.hasOwn(holder, name)) return;
    holder = (holder as Record<string | number, unknown>)[name];
  }
  if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, '__proto__');
}

const nameOf = (bytes: Buffer, step: Step): string | number =>
  typeof step === 'number' ? step : String(JSON.parse(bytes.toString('utf8', step.from, step.to)));
