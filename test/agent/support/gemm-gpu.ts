import { gemmDetails } from '../../coordinator/reports/examples/gemm-details.ts';
import type { FakeGpu } from './fake-gpus.ts';

const H100 = 'NVIDIA H100 80GB HBM3';
const NO_LIBRARY = 'no libcublasLt.so was found';

/** A bf16 product by the vendor's library, ours beside it; a card without the library if `vendor` is null. */
export function bf16({ vendor, own }: { vendor: number | null; own: number | null }) {
  const details = gemmDetails({ vendor: vendor ?? NO_LIBRARY, own: own ?? 'not requested (--engine vendor)' });
  return { value: vendor ?? own ?? 0, engine: vendor === null ? ('own' as const) : ('vendor' as const), details };
}

/** A card of the fake runner with that product. The figures only have the size of real ones. */
export const gemmGpu = (id: string, reached: Parameters<typeof bf16>[0], rest: Partial<FakeGpu> = {}): FakeGpu => ({
  id,
  name: H100,
  memory: 2950,
  gemm: { bf16_tflops: bf16(reached) },
  ...rest,
});
