import type { QuickMarkTestResult } from '../../../../coordinator/contract/quick-mark.ts';

/** Plausible figures of one H100-like device. Made up, and marked as simulated wherever they appear. */
const centre: Record<string, [value: number, spread: number]> = {
  fp32_tflops: [364, 0.01],
  fp32_cuda_core_tflops: [51.2, 0.004],
  fp16_tflops: [671, 0.01],
  bf16_tflops: [715, 0.01],
  fp8_tflops: [1310, 0.012],
  mixed_precision_tflops: [655, 0.01],
  memory_bandwidth_gbs: [2950, 0.003],
  l2_bandwidth_gbs: [5510, 0.004],
  host_to_device_bandwidth_gbs: [55.1, 0.002],
  device_to_host_bandwidth_gbs: [54.6, 0.002],
  kernel_launch_overhead_us: [4.31, 0.03],
  power_consumption_watts: [651, 0.02],
  temperature_centigrade: [61, 0.04],
  energy_consumption_wh: [5.2, 0.02],
};
const unsampled = new Set(['power_consumption_watts', 'temperature_centigrade', 'energy_consumption_wh']);

/** A small linear congruential generator: the same seed, the same figures. */
export function fixedChance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32 - 0.5;
  };
}

export function simulatedGpu(index: number, chance: () => number, scale = 1): QuickMarkTestResult {
  const figures: Record<string, number> = {};
  const details: Record<string, unknown> = {};
  for (const [metric, [value, spread]] of Object.entries(centre)) {
    const median = value * (1 + chance() * spread) * (metric.endsWith('tflops') ? scale : 1);
    figures[metric] = median;
    const stats = {
      n: 24,
      min: median * 0.985,
      p5: median * 0.991,
      median,
      p95: median * 1.006,
      max: median * 1.009,
      cv: 0.0051,
    };
    details[metric] = unsampled.has(metric)
      ? { unit: 'W', verified: null, source: 'device counter' }
      : {
          unit: 'x',
          stats,
          verified: true,
          m: 8192,
          n: 8192,
          k: 8192,
          algorithm: 'heuristic 3 of 16',
          data: 'random',
          warmup_seconds: 2,
          ...(metric.endsWith('tflops') ? { load: 'sustained' } : {}),
        };
  }
  return {
    gpu_id: `GPU-0000000${index}-5b6a-9f0e-2b9a-8a1f3c11000${index}`,
    gpu_model: 'NVIDIA H100 80GB HBM3',
    ...(figures as Pick<QuickMarkTestResult, 'fp32_tflops'>),
    vendor: 'nvidia',
    engine: 'vendor',
    simulated: true,
    unavailable: {},
    details,
  } as QuickMarkTestResult;
}

/** A node's upload: `count` devices, the last one slower where `slowest` is below 1, all where `scale` is. */
export function simulatedNode(seed: number, count = 8, slowest = 1, scale = 1): Record<string, unknown> {
  const chance = fixedChance(seed);
  const devices = Array.from({ length: count }, (_, index) =>
    simulatedGpu(index, chance, scale * (index === count - 1 ? slowest : 1)),
  );
  const sum = (
    metric: 'bf16_tflops' | 'fp16_tflops' | 'fp32_tflops' | 'memory_bandwidth_gbs' | 'power_consumption_watts',
  ) => devices.reduce((total, device) => total + (device[metric] ?? 0), 0);
  return {
    test_results: devices,
    aggregate_results: {
      gpu_id: 'aggregate',
      fp32_tflops: sum('fp32_tflops'),
      fp16_tflops: sum('fp16_tflops'),
      bf16_tflops: sum('bf16_tflops'),
      memory_bandwidth_gbs: sum('memory_bandwidth_gbs'),
      power_consumption_watts: sum('power_consumption_watts'),
      temperature_centigrade: 63,
    },
  };
}
