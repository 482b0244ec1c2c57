import { type FmaType, fmasPerClock } from '../../coordinator/figures/judge-lanes.ts';

export type { FmaType };

export interface FmaPeak {
  tflops: number;
  /** the factors, for people */
  words: string;
}

/** TFLOP/s at a measured clock, 2 operations per multiply-add; null if the table has no such architecture or type. */
export function fmaPeak(
  architecture: string,
  type: FmaType,
  multiprocessors: number,
  clockGhz: number,
): FmaPeak | null {
  const lanes = fmasPerClock[architecture]?.[type];
  if (lanes === undefined) return null;
  return {
    tflops: (lanes * 2 * multiprocessors * clockGhz) / 1000,
    words: `${lanes} ${type} lanes x 2 x ${multiprocessors} multiprocessors x measured clock`,
  };
}
