import { quickMarkResults, type QuickMarkResults } from '../../../../coordinator/contract/quick-mark.ts';
import { specPeak } from '../../../../coordinator/figures/gpu-peaks.ts';
import { aggregateEngines } from '../../../../coordinator/figures/aggregate-figures.ts';
import type { ReportNode, TaskReport } from '../../../../coordinator/reports/report-model.ts';
import { gemmDetails, type Reached } from './gemm-details.ts';
import { customer, inventory, job, node, quickMark } from './parts.ts';
import { simulatedNode } from './simulated-gpus.ts';

export const NO_LIBRARY = 'no libcublasLt.so.11, .12 or .13 was found by the loader, in CUDA_HOME or beside torch';

/** TFLOP/s of both engines per metric, of the size that such cards reach; made up. */
const products: Record<string, { vendor: number; own: number; path?: string; mode?: 'tf32' | 'simt' }> = {
  fp32_tflops: { vendor: 364, own: 331, mode: 'tf32' },
  fp32_cuda_core_tflops: { vendor: 51.2, own: 49.8, path: 'simt', mode: 'simt' },
  fp64_tflops: { vendor: 60.1, own: 55.3, path: 'mma.sync' },
  fp16_tflops: { vendor: 671, own: 640 },
  bf16_tflops: { vendor: 715, own: 690 },
  fp8_tflops: { vendor: 1310, own: 1090 },
  mixed_precision_tflops: { vendor: 655, own: 628 },
};
const issue = { fp16: 905, bf16: 948, fp8: 1830, tf32: 470, fp64: 64 };

/** 3 % lie between the library's first proposal and the best of its trials; fp64 alone is still warming up. Made up too. */
const measuring = (metric: string, value: number, isOwn: boolean): object => {
  const isSettled = metric !== 'fp64_tflops';
  return {
    ...(isOwn ? {} : { heuristic_first_tflops: value * 0.97 }),
    settled: isSettled,
    drift: { first_quarter_tflops: isSettled ? value : value * 0.96, last_quarter_tflops: value },
    power: { average_watts: 640, p95_watts: 655, joules_per_tflop: 640 / value, joules_per_product: 12.5 },
  };
};

/**
 * A node whose matrix products are recorded in the runner's form. Written by us, measured by nobody: every page of its
 * report says SIMULATED.
 * @param withoutLibrary places of the cards whose products are by our kernels
 */
export function gemmResults(count: number, withoutLibrary: number[] = []): QuickMarkResults {
  const results = quickMarkResults.parse(simulatedNode(count, count));
  results.test_results.forEach((device, index) => {
    const isOwn = withoutLibrary.includes(index);
    device.gemm = {};
    device.engine = isOwn ? 'own' : 'vendor';
    for (const [metric, product] of Object.entries(products)) {
      const factor = 1 - index * 0.001;
      const vendor: Reached = isOwn ? NO_LIBRARY : product.vendor * factor;
      const details = gemmDetails({ ...product, vendor, own: product.own * factor });
      const engine = isOwn ? 'own' : 'vendor';
      const value = typeof vendor === 'number' ? vendor : product.own * factor;
      const peak = specPeak(device.gpu_model, metric, { mode: product.mode ?? null, path: details.path });
      const share = peak === null ? null : value / peak.tflops;
      const stats = {
        n: 24,
        min: value * 0.985,
        p5: value * 0.991,
        median: value,
        p95: value * 1.006,
        max: value * 1.009,
      };
      Object.assign(device, { [metric]: value });
      device.gemm[metric] = { engine, fraction_of_spec_peak: share, spec_peak_tflops: peak?.tflops ?? null };
      device.details[metric] = {
        value,
        unit: 'TFLOP/s',
        stats: { ...stats, cv: 0.005 },
        verified: true,
        engine,
        benchmark: `gemm_${metric}`,
        ...details,
        ...measuring(metric, value, isOwn),
        ...(share === null ? {} : { fraction_of_spec_peak: share, spec_peak_tflops: peak?.tflops }),
      };
    }
    for (const [type, value] of Object.entries(issue)) {
      const stats = { n: 12, min: value, p5: value, median: value, p95: value, max: value, cv: 0.002 };
      const peak =
        specPeak(device.gpu_model, `matrix_issue_${type}_tflops`, { mode: null, path: null })?.tflops ?? null;
      const share = peak === null ? {} : { fraction_of_spec_peak: value / peak, spec_peak_tflops: peak };
      const record = { value, unit: 'TFLOP/s', stats, verified: null, engine: 'own', benchmark: 'matrix_issue' };
      device.details[`matrix_issue_${type}_tflops`] = { ...record, path: 'wgmma', ...share };
    }
  });
  results.engine_choice = 'auto';
  Object.assign(
    results.aggregate_results,
    aggregateEngines(results.test_results, ['fp32_tflops', 'fp16_tflops', 'bf16_tflops']),
  );
  return results;
}

export function gemmNode(count: number, withoutLibrary: number[] = [], rest: Partial<ReportNode> = {}): ReportNode {
  return node({
    simulated: true,
    hostname: 'gpu-017',
    results: [quickMark(gemmResults(count, withoutLibrary))],
    inventory: { ...inventory, gpu_vendor: 'nvidia', gpu_count: count },
    ...rest,
  });
}

export const gemmTask = (count: number, withoutLibrary: number[] = []): TaskReport => ({
  kind: 'task',
  customer,
  job: { ...job, name: `simulated node of ${count}, both engines` },
  node: gemmNode(count, withoutLibrary),
});
