/** Numbers drawn from a seed; the same seed and step give the same numbers, whatever was drawn before. */
export class Random {
  private state: number;

  constructor(seed: string, step: number) {
    let hash = 2_166_136_261;
    for (const letter of `${seed} ${step}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16_777_619);
    this.state = hash;
  }

  /** In [0, 1): mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below = (bound: number): number => Math.floor(this.next() * bound);
  chance = (share: number): boolean => this.next() < share;

  of<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to draw from');
    return item;
  }
}
