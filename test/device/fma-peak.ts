export type FmaType = 'fp32' | 'fp64' | 'fp16';

/**
 * Multiply-adds that one multiprocessor finishes per clock. NVIDIA: CUDA C++ Best Practices Guide 13, "Throughput of
 * Native Arithmetic Instructions" (before CUDA 13 in the Programming Guide, "Arithmetic Instructions"); fp16 in pairs,
 * each number counted. AMD: CDNA 2 and CDNA 3 white papers, operations per clock per compute unit halved; fp32 is the
 * packed form. A type that is not here has no peak to compare with; RDNA counts two kinds of unit as one.
 */
const fmasPerClock: Record<string, Partial<Record<FmaType, number>>> = {
  sm_75: { fp32: 64, fp64: 2, fp16: 128 },
  sm_80: { fp32: 64, fp64: 32, fp16: 256 },
  sm_86: { fp32: 128, fp64: 2, fp16: 128 },
  sm_89: { fp32: 128, fp64: 2, fp16: 128 },
  sm_90: { fp32: 128, fp64: 64, fp16: 256 },
  sm_100: { fp32: 128, fp64: 64 },
  sm_103: { fp32: 128 },
  sm_120: { fp32: 128, fp64: 2 },
  gfx90a: { fp32: 128, fp64: 64 },
  gfx942: { fp32: 128, fp64: 64 },
  gfx950: { fp32: 128, fp64: 64 },
};

export interface FmaPeak {
  tflops: number;
  /** the factors, for people */
  words: string;
}

/** TFLOP/s at a measured clock, 2 operations per multiply-add; null where the table has no such architecture or type. */
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
