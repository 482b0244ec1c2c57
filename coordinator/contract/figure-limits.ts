import { z } from 'zod';

/** Most devices of a node; the bound of a sum is this many times the bound of one device. */
export const MOST_DEVICES = 64;

/**
 * Upper bounds of one device's figures, at least an order of magnitude above any published device, so that no card of the
 * next years exceeds them. Highest published: 5,000 TFLOP/s dense (GB300, fp8), 8,000 GB/s of memory, 450 GB/s to the host
 * (NVLink-C2C), 1,400 W. Level 2 caches of 256 server cores together exceed 100,000 GB/s. A launch that takes a second, or
 * a run that takes a week at maximum power, means a stuck machine.
 */
const MOST_TFLOPS = 100_000;
const MOST_GBS = 100_000;
const MOST_WATTS = 50_000;

export const figureLimits = {
  fp32_tflops: MOST_TFLOPS,
  fp32_cuda_core_tflops: MOST_TFLOPS,
  fp16_tflops: MOST_TFLOPS,
  bf16_tflops: MOST_TFLOPS,
  fp8_tflops: MOST_TFLOPS,
  mixed_precision_tflops: MOST_TFLOPS,
  memory_bandwidth_gbs: MOST_GBS,
  l2_bandwidth_gbs: 2_000_000,
  host_to_device_bandwidth_gbs: 10_000,
  device_to_host_bandwidth_gbs: 10_000,
  kernel_launch_overhead_us: 1_000_000,
  power_consumption_watts: MOST_WATTS,
  energy_consumption_wh: MOST_WATTS * 24 * 7,
} as const;

/** A finite number from 0 to `most`, or null if it was not measured (never 0 instead of null). */
export const figureUpTo = (most: number) => z.number().nonnegative().max(most).nullable();

/** Degrees Celsius, from colder than any machine room to hotter than any chip can run. */
export const temperature = z.number().min(-60).max(200).nullable();

/** Bound for figures of metrics that are not known here: the largest of the bounds above. */
export const MOST_OF_ANY = MOST_WATTS * 24 * 7;

/** One sample behind a figure; its unit can be any, such as nanoseconds or bytes. */
export const sample = z.number().min(-1e15).max(1e15);

/** Most samples behind one figure; the runner takes at most a few thousand. */
const MOST_SAMPLES = 1_000_000;
export const sampleCount = z.int().positive().max(MOST_SAMPLES);

/** Bound for copies between two devices, both directions together; published for NVLink: 1,800 GB/s. */
export const MOST_COPY_GBS = 20_000;
