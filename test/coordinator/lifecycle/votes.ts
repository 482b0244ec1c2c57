import { modelKey } from '../../../coordinator/figures/gpu-peaks.ts';
import { comparePerformance } from '../../../coordinator/lifecycle/performance/compare.ts';
import {
  eachMetric,
  type CustomerVote,
  type Figures,
  type ModelFigures,
} from '../../../coordinator/lifecycle/performance/node-figures.ts';
import { H100 } from '../jobs/upload.ts';

export const figures = (bf16: number | null, memory: number | null = null): Figures => ({
  bf16_tflops: bf16,
  memory_bandwidth_gbs: memory,
  host_to_device_bandwidth_gbs: null,
  device_to_host_bandwidth_gbs: null,
});
export const h100 = (measured: Figures): ModelFigures => ({
  gpu_vendor: 'nvidia',
  gpu_model: H100,
  device_count: 1,
  figures: measured,
  model_key: modelKey('nvidia', H100),
  bf16_engine: 'vendor',
  bf16_load: 'sustained',
  unranked: null,
});
/** A customer whose `machines` machines have these medians. */
export const vote = (customer_id: string, measured: Figures, machines = 1): CustomerVote => ({
  customer_id,
  figures: measured,
  machines: eachMetric((metric) => (measured[metric] === null ? 0 : machines)),
  bf16_by_other_engine: 0,
  bf16_under_other_load: 0,
});
/** As the job of the customer `own`. */
export const compare = (measured: ModelFigures, votes: CustomerVote[] = []) =>
  comparePerformance(measured, votes, 'own');
