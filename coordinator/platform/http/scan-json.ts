import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { malformed } from './validation-error.ts';

/** Limits of a JSON text, counted in its bytes before the parse. */
export interface JsonBounds {
  /** Values of any kind, at all levels in total. */
  values: number;
  /** Elements of one array, or fields of one object. */
  entries: number;
  /** Bytes of one string as written. */
  text: number;
}

/** Deeper nesting would overflow the stack of code that walks the value later. */
const MAX_DEPTH = 64;

/** A value of a sensible body takes at least this on average, with name and comma; one of `[0,0,0]` takes less. */
const BYTES_PER_VALUE = 16;
const FEWEST_VALUES = 256;
/** 256 nodes have 65,280 directed links between them; 64 devices make 64 entries, or 4,032 copies between pairs. */
const MOST_ENTRIES = 70_000;
const MOST_TEXT = 1 << 20;

/** The bounds of a route, derived from its limit in bytes. */
export const boundsOf = (bytes: number): JsonBounds => ({
  values: Math.max(FEWEST_VALUES, Math.floor(bytes / BYTES_PER_VALUE)),
  entries: MOST_ENTRIES,
  text: MOST_TEXT,
});

/** One step from a container to an entry: an index, or the position of the field's name with its quotes. */
export type Step = number | { from: number; to: number };

/** What JSON.parse would get wrong or let through, by its position in the bytes. Valid until the next scan. */
export interface Scanned {
  /** Integers beyond 2^53: start and end of each, in order. */
  longIntegers: Uint32Array;
  /** Paths of the objects with a field named `__proto__`. */
  prototypes: Step[][];
  /** The first string with NUL or a lone surrogate: its path from the root; null if it is a field name. */
  badText: { path: Step[] | null } | null;
}

/** Maximum number of objects with a field `__proto__`, which is removed; a body with more is refused. */
const MOST_PROTOTYPES = 100;

/** Return values of scan(), and the layout of the module's memory: see scan-json.wat. */
const [END, BAD_TEXT, BAD_NAME, PROTO, VALUES, ENTRIES, LONG_TEXT, END_WITH_LONG] = [0, 1, 2, 3, 4, 5, 6, 8];
const [TEXT, LEVEL_BYTES, LEVEL_WORDS] = [2048, 16, 4];
const [IS_OBJECT, ROOM, NAME_FROM, NAME_TO] = [0, 1, 2, 3];
const PAGE = 65_536;

interface Scanner {
  memory: { buffer: ArrayBuffer; grow: (pages: number) => number };
  begin: (length: number, commas: number, commasEach: number, text: number) => void;
  scan: () => number;
  quote: () => number;
  level: { value: number };
  placesFrom: { value: number };
  placesEnd: { value: number };
}

// Node provides WebAssembly, but its types do not declare it.
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: object };
};

/** One instance per thread, with one memory for all texts: each is finished before the next begins. */
const scanner = new WebAssembly.Instance(
  new WebAssembly.Module(readFileSync(join(import.meta.dirname, 'scan-json.wasm'))),
).exports as Scanner;
/** All of the module's memory. It grows to what the largest text needs, and never shrinks. */
let memory = Buffer.from(scanner.memory.buffer);
/** End of the last scanned text in `memory`. */
let textEnd = TEXT;

/**
 * One pass over the bytes of a JSON text, before the parse. Throws a validation error if they contain more than `bounds`
 * allow. It does not check the syntax: its findings in text that is not JSON are meaningless, and the parse refuses such text.
 */
export function scanJson(bytes: Uint8Array, bounds: JsonBounds): Scanned {
  reserve(bytes.length);
  memory.set(bytes, TEXT);
  textEnd = TEXT + bytes.length;
  scanner.begin(bytes.length, bounds.values - 1, bounds.entries - 1, bounds.text);
  const found: Scanned = { longIntegers: NONE, prototypes: [], badText: null };
  for (;;) {
    const event = scanner.scan();
    if (event === END) return found;
    if (event === END_WITH_LONG) return { ...found, longIntegers: places() };
    const depth = scanner.level.value / LEVEL_BYTES;
    if (event === BAD_TEXT) found.badText = { path: pathTo(depth, bounds) };
    else if (event === BAD_NAME) found.badText = { path: null };
    else if (event === PROTO) addPrototype(found, pathTo(depth - 1, bounds));
    else throw excess(event, bounds);
  }
}

/** The bytes last scanned, with quotes around any long integers. Valid until the next scan. */
export function textToParse({ longIntegers }: Scanned): Uint8Array {
  if (longIntegers.length === 0) return memory.subarray(TEXT, textEnd);
  const end = scanner.quote();
  return memory.subarray(scanner.placesEnd.value, end);
}

const NONE = new Uint32Array();

function places(): Uint32Array {
  const from = scanner.placesFrom.value;
  return new Uint32Array(scanner.memory.buffer, from, (scanner.placesEnd.value - from) / 4);
}

/** Reserves room for the text, half its size for positions (8 bytes per 17), and a copy with quotes (2 more per integer). */
function reserve(length: number): void {
  const missing = TEXT + Math.ceil(length * 2.625) + 128 - memory.length;
  if (missing <= 0) return;
  scanner.memory.grow(Math.ceil(missing / PAGE));
  memory = Buffer.from(scanner.memory.buffer);
}

function addPrototype(found: Scanned, path: Step[]): void {
  if (found.prototypes.length >= MOST_PROTOTYPES) throw tooMuch('not hold fields named __proto__');
  found.prototypes.push(path);
}

/** The path from the root to the current entry of the container at this level. */
function pathTo(depth: number, { entries }: JsonBounds): Step[] {
  const levels = new Int32Array(scanner.memory.buffer, 0, (depth + 1) * LEVEL_WORDS);
  return Array.from({ length: depth }, (_, above) => {
    const word = (field: number) => levels[(above + 1) * LEVEL_WORDS + field] ?? 0;
    if (word(IS_OBJECT) === 0) return entries - 1 - word(ROOM);
    return { from: word(NAME_FROM) - TEXT, to: word(NAME_TO) - TEXT };
  });
}

function excess(event: number, { values, entries, text }: JsonBounds): Error {
  if (event === VALUES) return tooMuch(`hold at most ${values} values`);
  if (event === ENTRIES) return tooMuch(`hold at most ${entries} entries in one place`);
  if (event === LONG_TEXT) return tooMuch(`hold texts of at most ${text} bytes`);
  return malformed('body', null, `must not nest deeper than ${MAX_DEPTH} levels`, 'json_invalid');
}

const tooMuch = (what: string) => malformed('body', null, `must ${what}; send less, or in several requests`, 'too_big');
