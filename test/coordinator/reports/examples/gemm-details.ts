/** What one engine is made to have reached, TFLOP/s, or why it has nothing. */
export type Reached = number | string;

interface Product {
  vendor: Reached;
  own: Reached;
  path?: string;
  mode?: 'tf32' | 'simt';
  zeros_ratio?: number;
  throttle?: string[];
}

const verification = {
  method:
    'every element against sums of 64 products added up in float64 on the ordinary lanes, 64 elements by the host in float64',
  bound_absolute: 0.0053,
  bound_relative: 0.0009765625,
  elements_wrong: 0,
  worst_error_over_bound: 0.483859807,
  elements_by_host: 64,
  elements_by_host_wrong: 0,
  worst_error_over_bound_by_host: 0.380511505,
};
const LIBRARY = { library: 'libcublasLt.so.13', version: '13.1.0', candidates: 24 };

/**
 * `details` of a matrix product as the runner writes them. Written by us in the runner's form, measured by nobody: the
 * figures only have the size of real ones.
 */
export function gemmDetails({ vendor, own, path = 'wgmma', mode, zeros_ratio = 1.13, throttle }: Product) {
  const algorithm = `${path} 128x256x64, 4 stages, cluster 2`;
  const library = 'heuristic 3 of 24: tile 128x256, stages 4, split-k 1';
  const isVendor = typeof vendor === 'number';
  const [headline, other] = isVendor ? [vendor, own] : [own, vendor];
  return {
    m: 8192,
    n: 8192,
    k: 8192,
    layout: 'tn',
    data: 'random',
    seed: 1,
    path: isVendor ? 'cublasLt' : path,
    algorithm: isVendor ? library : algorithm,
    ...(mode === undefined ? {} : { mode }),
    engines: {
      vendor: isVendor
        ? { tflops: vendor, path: 'cublasLt', algorithm: library, ...LIBRARY, cv: 0.005, verification }
        : { reason: vendor },
      own:
        typeof own === 'number'
          ? {
              tflops: own,
              path,
              algorithm,
              candidates: 3,
              cv: 0.005,
              tile: '128x256x64',
              stages: 4,
              threads: 384,
              cluster: 2,
              verification,
            }
          : { reason: own },
    },
    engines_gap:
      typeof headline === 'number' && typeof other === 'number'
        ? Math.abs(headline - other) / Math.max(headline, other)
        : null,
    achieved_peak:
      typeof headline === 'number'
        ? {
            tflops: headline * 1.02,
            m: 16384,
            n: 8192,
            k: 8192,
            samples: 7,
            load: 'brief',
            engine: isVendor ? 'vendor' : 'own',
            algorithm: library,
          }
        : null,
    zeros_ratio,
    ...(typeof headline === 'number' ? loads(headline, zeros_ratio) : {}),
    rotating_sets: 3,
    warm_up_seconds: 1.2,
    clock_mhz_mean: 1725,
    throttle: throttle ?? ['sw_power_cap'],
    verification,
    repeats_bit_for_bit: true,
    sensor_clock_mhz: 1725,
    held_until_enqueued: true,
  };
}

const loads = (headline: number, zeros_ratio: number) => ({
  load: 'sustained',
  before_seconds: 1.6,
  counted_seconds: 1.2,
  burst: { load: 'burst', tflops: headline * 1.1, n: 50, seconds: 0.25, rest_seconds: 0.25 },
  zeros: { tflops: headline * zeros_ratio, n: 31, load: 'brief', over: 'sustained' },
});
