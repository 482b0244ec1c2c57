/** Bits below the millisecond: 2^20 ids per millisecond and process before the clock is run ahead. */
const SEQUENCE_BITS = 20n;

/**
 * Ids as the service hands them out: Unix milliseconds * 2^20 + a sequence that starts anywhere in its lower half each
 * millisecond. 19 digits from 2000 to 2248, growing with time, unique across copies by the random start and by the
 * primary key.
 */
export function idSource(now: () => Date, randomBytes: (count: number) => Buffer): () => string {
  let last = 0n;
  return () => {
    const start = BigInt(randomBytes(3).readUIntBE(0, 3) & 0x7_ff_ff);
    const candidate = (BigInt(now().getTime()) << SEQUENCE_BITS) + start;
    last = candidate > last ? candidate : last + 1n;
    return last.toString();
  };
}
