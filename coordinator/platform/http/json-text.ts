const [QUOTE, BACKSLASH, LOWER_U, ZERO, NINE] = [34, 92, 117, 48, 57];

/** Bytes of a string after which a native search for its end costs less than looking at each. */
const LONG_RUN = 24;
const PROTO = Buffer.from('__proto__');

/** Finds where the strings of one text end, from front to back. */
export class JsonStrings {
  /** Whether the last string held NUL or half a surrogate pair. */
  bad = false;
  private readonly bytes: Buffer;
  /** The next backslash from some place on; right as long as the scan is not past it. */
  private backslashAt = -1;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Behind the quote that ends the string; the text's end if there is none. */
  endOf(from: number): number {
    const { bytes } = this;
    const near = Math.min(bytes.length, from + LONG_RUN);
    for (let at = from; at < near; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at + 1;
      if (byte === BACKSLASH) return this.escapedEnd(at);
    }
    const quote = orEnd(bytes, bytes.indexOf(QUOTE, near));
    if (this.backslashAt < near) this.backslashAt = orEnd(bytes, bytes.indexOf(BACKSLASH, near));
    return this.backslashAt < quote ? this.escapedEnd(this.backslashAt) : quote + 1;
  }

  private escapedEnd(from: number): number {
    const { bytes } = this;
    const end = bytes.length;
    let at = from;
    while (at < end) {
      const byte = bytes[at];
      if (byte === BACKSLASH) at = bytes[at + 1] === LOWER_U ? this.unicodeEnd(at) : at + 2;
      else if (byte === QUOTE) return at + 1;
      else at += 1;
    }
    return end;
  }

  /** Behind `\uXXXX`, or behind the pair that it begins. */
  private unicodeEnd(at: number): number {
    const { bytes } = this;
    const unit = hexAt(bytes, at + 2);
    if (unit !== 0 && (unit < 0xd8_00 || unit > 0xdf_ff)) return at + 6;
    if (unit >= 0xd8_00 && unit <= 0xdb_ff && bytes[at + 6] === BACKSLASH && bytes[at + 7] === LOWER_U) {
      const low = hexAt(bytes, at + 8);
      if (low >= 0xdc_00 && low <= 0xdf_ff) return at + 12;
    }
    this.bad = true;
    return at + 6;
  }
}

/** Whether the bytes spell `__proto__`, with or without escapes. */
export function isProto(bytes: Buffer, from: number, to: number): boolean {
  let at = from;
  for (const wanted of PROTO) {
    if (bytes[at] === wanted) at += 1;
    else if (bytes[at] === BACKSLASH && bytes[at + 1] === LOWER_U && hexAt(bytes, at + 2) === wanted) at += 6;
    else return false;
  }
  return at === to;
}

/** Four hex digits, or -1 if they are not; the parse refuses those. */
function hexAt(bytes: Buffer, at: number): number {
  if (at + 4 > bytes.length) return -1;
  const value =
    (hexDigit(bytes[at] ?? 0) << 12) |
    (hexDigit(bytes[at + 1] ?? 0) << 8) |
    (hexDigit(bytes[at + 2] ?? 0) << 4) |
    hexDigit(bytes[at + 3] ?? 0);
  return value;
}

function hexDigit(byte: number): number {
  if (byte >= ZERO && byte <= NINE) return byte - ZERO;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x61 + 10 : -1;
}

const orEnd = (bytes: Buffer, at: number): number => (at === -1 ? bytes.length : at);
