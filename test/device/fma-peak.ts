export type FmaType = 'fp32' | 'fp64' | 'fp16';

/**
 * Multiply-adds that one multiprocessor finishes per clock. NVIDIA: the table "Throughput of Native Arithmetic
 * Instructions" (CUDA C++ Best Practices Guide since CUDA 13, Programming Guide before), each number of an fp16 pair
 * counted. AMD: vector peaks of the data sheets over units x clock, as MI300X 163.4 TFLOP/s = 304 x 2.1 GHz x 2 x 128, which
 * is the packed fp32 form; gfx90a packs too, though its sheets count the plain form. What is not here has no peak to compare
 * with: sm_103's fp64 for want of a source, RDNA because its drivers count units in two ways.
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
