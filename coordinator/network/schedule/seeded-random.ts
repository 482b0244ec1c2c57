import { createHash } from 'node:crypto';

/** The same seed gives the same values on every machine and in every version. */
export interface SeededRandom {
  /** an integer from 0 to `limit` - 1, uniformly distributed; `limit` at most 2^32 */
  below(limit: number): number;
  /** a number in [0, 1) with 32 random bits */
  unit(): number;
  /** the values in random order (Fisher-Yates) */
  shuffled<T>(values: readonly T[]): T[];
}

/** For drawing graphs, never for secrets. The state is the first 128 bits of the SHA-256 of the seed. */
export function seededRandom(seed: string): SeededRandom {
  const digest = createHash('sha256').update(seed, 'utf8').digest();
  const word = (at: number): number => digest.readUInt32LE(4 * at);
  const next = xoshiro128([word(0), word(1), word(2), word(3)]);
  const below = (limit: number): number => {
    // values above the largest multiple of `limit` would bias the result towards small values
    const whole = 2 ** 32 - (2 ** 32 % limit);
    let value = next();
    while (value >= whole) value = next();
    return value % limit;
  };
  const shuffled = <T>(values: readonly T[]): T[] => {
    const left = [...values];
    const drawn: T[] = [];
    while (left.length > 0) {
      const at = below(left.length);
      const last = left.pop() as T;
      drawn.push(at === left.length ? last : (left[at] as T));
      if (at < left.length) left[at] = last;
    }
    return drawn;
  };
  return { below, unit: () => next() / 2 ** 32, shuffled };
}

/**
 * xoshiro128** 1.1 by D. Blackman and S. Vigna (prng.di.unimi.it; public domain): 32 random bits per call. The member
 * of its family with 32-bit arithmetic, so that no BigInt is needed.
 */
export function xoshiro128([a, b, c, d]: [number, number, number, number]): () => number {
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return result;
  };
}

const rotated = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
