import { MAX_DEPTH, type JsonBounds } from './json-bounds.ts';
import { isProto, JsonStrings } from './json-text.ts';
import { malformed } from './validation-error.ts';

/** One step from a container to what it holds: an index, or where the field's name stands with its quotes. */
export type Step = number | { from: number; to: number };

/** What JSON.parse would get wrong or let through, by where it stands in the bytes. */
export interface Scanned {
  /** Integers beyond 2^53: where each begins and ends, one after the other. */
  longIntegers: number[];
  /** Objects with a field named `__proto__`. */
  prototypes: Step[][];
  /** The first text with NUL or half a surrogate pair: its way from the root; null for a name. */
  badText: { path: Step[] | null } | null;
}

/** Objects with a field of that name that are mended; more is refused. */
const MOST_PROTOTYPES = 100;
const LARGEST_INTEGER = Buffer.from(String(Number.MAX_SAFE_INTEGER));
const INTEGER_DIGITS = LARGEST_INTEGER.length;
const PROTO_LENGTH = '__proto__'.length;

const [SPACE, QUOTE, COMMA, MINUS, PLUS, ZERO, NINE] = [32, 34, 44, 45, 43, 48, 57];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT, LOWER_E, F, N, T] = [91, 93, 123, 125, 101, 102, 110, 116];

/** By level: whether it is an object, how many commas it may still have, where the present name stands. Used by one scan at a time. */
const isObject = new Uint8Array(MAX_DEPTH + 2);
const rooms = new Int32Array(MAX_DEPTH + 2);
const nameFrom = new Int32Array(MAX_DEPTH + 2);
const nameTo = new Int32Array(MAX_DEPTH + 2);

/**
 * One pass over the bytes of a JSON text, before the parse. Throws a validation error if they hold more than `bounds`
 * allow. It does not check the syntax: what it finds in text that is not JSON means nothing, and the parse refuses that.
 * One plain loop, since it may cost half of JSON.parse, which is native.
 */
export function scanJson(bytes: Buffer, bounds: JsonBounds): Scanned {
  const found: Scanned = { longIntegers: [], prototypes: [], badText: null };
  const strings = new JsonStrings(bytes);
  const end = bytes.length;
  // Commas and brackets that may still come, in all and in the present container.
  let [left, room] = [bounds.values - 1, bounds.entries - 1];
  let [at, depth, inObject, nameNext] = [0, 0, false, false];
  while (at < end) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) {
      const from = at;
      at = strings.endOf(from + 1);
      if (at - from > bounds.text) throw tooMuch(`hold texts of at most ${bounds.text} bytes`);
      if (strings.bad) {
        rooms[depth] = room;
        found.badText ??= { path: nameNext ? null : pathTo(depth, bounds) };
        strings.bad = false;
      }
      if (nameNext) {
        nameFrom[depth] = from;
        nameTo[depth] = at;
        nameNext = false;
        if (at - from > PROTO_LENGTH && isProto(bytes, from + 1, at - 1))
          addPrototype(found, pathTo(depth - 1, bounds));
      }
    } else if (byte === COMMA) {
      at += 1;
      nameNext = inObject;
      if (--left < 0 || --room < 0) throw tooMany(bounds, left);
    } else if (byte <= NINE && (byte >= ZERO || byte === MINUS)) {
      const from = at;
      at = numberEnd(bytes, from + 1);
      if (at - from >= INTEGER_DIGITS && !nameNext && isLong(bytes, from, at)) found.longIntegers.push(from, at);
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      at += 1;
      rooms[depth] = room;
      depth += 1;
      if (depth > MAX_DEPTH) throw tooDeep();
      if (--left < 0) throw tooMany(bounds, left);
      room = bounds.entries - 1;
      nameNext = inObject = byte === OPEN_OBJECT;
      isObject[depth] = inObject ? 1 : 0;
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) {
      at += 1;
      nameNext = false;
      if (depth === 0) continue;
      depth -= 1;
      room = rooms[depth] as number;
      inObject = isObject[depth] === 1;
    } else if (byte === SPACE) at = spacesEnd(bytes, at + 1);
    else at += byte === T || byte === N ? 4 : byte === F ? 5 : 1;
  }
  return found;
}

/** Behind the white space. */
function spacesEnd(bytes: Buffer, from: number): number {
  const end = bytes.length;
  let at = from;
  while (at < end && bytes[at] === SPACE) at += 1;
  return at;
}

/** Behind the digits, points, signs and exponents. */
function numberEnd(bytes: Buffer, from: number): number {
  const end = bytes.length;
  for (let at = from; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < PLUS || byte === COMMA || (byte > NINE && (byte | 0x20) !== LOWER_E)) return at;
  }
  return end;
}

/** An integer that a double cannot hold. A zero in front is no number in JSON; the parse refuses it. */
function isLong(bytes: Buffer, from: number, to: number): boolean {
  const first = bytes[from] === MINUS ? from + 1 : from;
  const digits = to - first;
  if (digits < INTEGER_DIGITS || bytes[first] === ZERO) return false;
  let larger = digits > INTEGER_DIGITS ? 1 : 0;
  for (let at = first; at < to; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte < ZERO || byte > NINE) return false;
    if (larger === 0) larger = byte - (LARGEST_INTEGER[at - first] ?? 0);
    if (larger < 0) return false;
  }
  return larger > 0;
}

function addPrototype(found: Scanned, path: Step[]): void {
  if (found.prototypes.length >= MOST_PROTOTYPES) throw tooMuch('not hold fields named __proto__');
  found.prototypes.push(path);
}

/** The way from the root to the present entry of the container at this level. */
function pathTo(depth: number, { entries }: JsonBounds): Step[] {
  return Array.from({ length: depth }, (_, above) => {
    const level = above + 1;
    if (isObject[level] !== 1) return entries - 1 - (rooms[level] ?? 0);
    return { from: nameFrom[level] ?? 0, to: nameTo[level] ?? 0 };
  });
}

const tooMany = ({ values, entries }: JsonBounds, left: number) =>
  tooMuch(left < 0 ? `hold at most ${values} values` : `hold at most ${entries} entries in one place`);

const tooMuch = (what: string) => malformed('body', null, `must ${what}; send less, or in several requests`, 'too_big');

const tooDeep = () => malformed('body', null, `must not nest deeper than ${MAX_DEPTH} levels`, 'json_invalid');
