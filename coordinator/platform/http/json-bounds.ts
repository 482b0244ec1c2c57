/** What a JSON text may hold. Counted on its bytes, before anything is built of it. */
export interface JsonBounds {
  /** Values of any kind, at all levels together. */
  values: number;
  /** Elements of one array, or fields of one object. */
  entries: number;
  /** Bytes of one string as it is written. */
  text: number;
}

/** Deeper nesting would overflow the stack of whatever walks the value later. */
export const MAX_DEPTH = 64;

/** No value of a sensible body is shorter than this on average, its name and comma included; `[0,0,0]` is. */
const BYTES_PER_VALUE = 16;
const FEWEST_VALUES = 256;
/** 256 nodes have 65,280 directed links between them; a device list has 64 entries, 4,032 copies. */
const MOST_ENTRIES = 70_000;
const MOST_TEXT = 1 << 20;

/** The bounds of a route, which follow from the bytes that it takes. */
export const boundsOf = (bytes: number): JsonBounds => ({
  values: Math.max(FEWEST_VALUES, Math.floor(bytes / BYTES_PER_VALUE)),
  entries: MOST_ENTRIES,
  text: MOST_TEXT,
});
