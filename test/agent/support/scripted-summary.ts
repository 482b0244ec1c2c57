import type { RunSummary } from '../../../agent/run/run-summary.ts';
import { noGemm } from './no-gemm.ts';

const metric = (name: string, value: number | null, unit: string, rest: object = {}) => ({
  metric: name,
  value,
  unit,
  n: 11,
  cv: 0.004,
  verdict: 'ok' as const,
  rule: null,
  reason: null,
  judged_by: ['spread', 'peers'],
  absence: null,
  ...noGemm,
  ...rest,
});

/** How the scripted run ends: two GPUs, one doubtful, one wrong, a slow copy. */
export const scriptedSummary: RunSummary = {
  type: 'summary',
  schema: 'gpumark.summary/1',
  outcome: 'completed_with_warnings',
  exit_code: 3,
  mode: 'job',
  saved: true,
  trace_id: '0123456789abcdef0123456789abcdef',
  agent_version: '1.2.3',
  seconds: 41.2,
  machine_uuid: '11111111-1111-5111-8111-111111111111',
  config_id: '22222222-2222-5222-8222-222222222222',
  coordinator: 'https://gpumark.example',
  job_id: '1847032911563124736',
  task_id: '1847032911563124999',
  job_url: 'https://gpumark.example/api/gpu-mark/v1/jobs/1847032911563124736',
  report_url: null,
  spool_file: null,
  matrix: [
    {
      source_gpu: 'cuda-GPU-1',
      target_gpu: 'cuda-GPU-2',
      simplex_gbs: 391.2,
      duplex_gbs: 742.8,
      connection_type: 'NVLink x18',
      peer_access: true,
      verdict: 'ok',
      reason: null,
    },
    {
      source_gpu: 'cuda-GPU-2',
      target_gpu: 'cuda-GPU-1',
      simplex_gbs: 204.7,
      duplex_gbs: 409,
      connection_type: 'NVLink x18',
      peer_access: true,
      verdict: 'bad',
      reason: 'peers: 31.3 % below the median of the NVLink x18 copies',
    },
  ],
  engine: 'auto',
  network: [],
  resumed: 0,
  devices: [
    {
      device_id: 'cuda-GPU-1',
      name: 'NVIDIA H100 80GB HBM3',
      vendor: 'nvidia',
      simulated: false,
      verdict: 'warn',
      metrics: [
        // 364.2 / 494.7 and 712.5 / 989.4
        metric('fp32_tflops', 364.2, 'TFLOP/s', {
          engine: 'vendor',
          fraction_of_spec_peak: 0.7362,
          spec_peak_tflops: 494.7,
          other_engine_tflops: 331.9,
        }),
        metric('bf16_tflops', 712.5, 'TFLOP/s', {
          engine: 'vendor',
          fraction_of_spec_peak: 0.7201,
          spec_peak_tflops: 989.4,
          other_engine_tflops: 588.1,
          verdict: 'warn',
          rule: 'engines',
          reason:
            "the vendor's library 712.5, gpumark's own kernels 588.1 TFLOP/s: 17.5 % apart, limit 15 %; a kernel of ours may not suit this card",
        }),
        metric('memory_bandwidth_gbs', 2971.3, 'GB/s', {
          cv: 0.081,
          verdict: 'warn',
          rule: 'spread',
          reason: 'spread above 5 %: other work on it or unsteady clocks',
        }),
        metric('kernel_launch_overhead_us', 2.417, 'us'),
        metric('energy_consumption_wh', null, 'Wh', {
          n: null,
          cv: null,
          verdict: 'absent',
          rule: 'absence',
          reason: 'the driver has no energy counter for this card and its power reading stood still during the run',
        }),
      ],
      together: [
        { metric: 'memory_bandwidth_gbs', value: 2899.9, alone: 2971.3, gap: 0.024 },
        { metric: 'host_to_device_bandwidth_gbs', value: 31.4, alone: 53.1, gap: 0.4087 },
      ],
    },
    {
      device_id: 'cuda-GPU-2',
      name: 'NVIDIA H100 80GB HBM3',
      vendor: 'nvidia',
      simulated: true,
      verdict: 'bad',
      metrics: [
        metric('fp32_tflops', null, 'TFLOP/s', {
          n: null,
          cv: null,
          verdict: 'bad',
          rule: 'verification',
          reason: 'differs from its reference',
        }),
      ],
      together: [],
    },
  ],
  warnings: [
    "cuda-GPU-1: bf16: the vendor's library 712.5, gpumark's own kernels 588.1 TFLOP/s: 17.5 % apart, limit 15 %; a kernel of ours may not suit this card",
    'cuda-GPU-1: memory bandwidth: spread above 5 %: other work on it or unsteady clocks',
  ],
  error: null,
  next_command: null,
};
