/** What all models of one family share. */
export interface GpuFamily {
  vendor: 'nvidia' | 'amd';
  /** Consumer and workstation parts are sold overclocked and legitimately exceed their data sheet. */
  market: 'data-centre' | 'workstation' | 'consumer';
  architecture: string;
  /** NVIDIA only */
  compute_capability: string | null;
  /** null if the host is reached another way (NVLink-C2C, one package) or several devices share the board's slot */
  pcie: { generation: number; width: number } | null;
}

/**
 * Published figures of one GPU model, per device as the driver shows it: units are in the names, GB = 1e9 bytes, tensor
 * rates are dense (no sparsity) with fp32 accumulation. Null if the maker publishes none or the hardware lacks the feature.
 */
export interface GpuPeak extends GpuFamily {
  name: string;
  /** matches what the driver reports */
  reported: RegExp;
  memory_gb: number;
  memory: { kind: string; bus_bits: number; gbps_per_pin: number };
  memory_bandwidth_gbs: number;
  /** null if the power is the module's or the board's, not the device's */
  tdp_watts: number | null;
  fp32_tflops: number | null;
  fp64_tflops: number | null;
  /** on matrix units; null if they compute no fp64 */
  fp64_matrix_tflops: number | null;
  tf32_tflops: number | null;
  fp16_tflops: number | null;
  bf16_tflops: number | null;
  fp8_tflops: number | null;
  /** with block scales; also null if sheets contradict each other or give only a rough sparse rate */
  fp4_tflops: number | null;
  l2_mb: number | null;
  /** Share of the published peak below which a device is suspect: what healthy parts reach, less a tenth. */
  floors: { memory: number; bf16: number };
  /** the maker's document and its year */
  source: string;
  /** figures on which sources contradict each other, with the reason: shown, but never used for a verdict */
  uncertain: Partial<Record<PeakFigure, string>>;
}

export type PeakFigure =
  | 'memory_bandwidth_gbs'
  | 'tdp_watts'
  | 'fp32_tflops'
  | 'fp64_tflops'
  | 'fp64_matrix_tflops'
  | 'tf32_tflops'
  | 'fp16_tflops'
  | 'bf16_tflops'
  | 'fp8_tflops'
  | 'fp4_tflops';

/** One line of the tables, in the order of their headings. */
export type PeakLine = [
  name: string,
  reported: RegExp,
  family: GpuFamily,
  memory: [gb: number, kind: string, bus_bits: number, gbps_per_pin: number, gbs: number],
  tdp_watts: number | null,
  simt: [fp32: number | null, fp64: number | null, fp64_matrix?: number],
  tensor: [tf32: number | null, fp16: number | null, bf16: number | null, fp8: number | null, fp4?: number],
  l2_mb: number | null,
  floors: [memory: number, bf16: number],
  source: string,
  uncertain?: GpuPeak['uncertain'],
];

export function peakOf(line: PeakLine): GpuPeak {
  const [name, reported, family, memory, tdp_watts, simt, tensor, l2_mb, floors, source, uncertain = {}] = line;
  const [memory_gb, kind, bus_bits, gbps_per_pin, memory_bandwidth_gbs] = memory;
  const [fp32_tflops, fp64_tflops, fp64_matrix_tflops = null] = simt;
  const [tf32_tflops, fp16_tflops, bf16_tflops, fp8_tflops, fp4_tflops = null] = tensor;
  return {
    ...family,
    name,
    reported,
    memory_gb,
    memory: { kind, bus_bits, gbps_per_pin },
    memory_bandwidth_gbs,
    tdp_watts,
    fp32_tflops,
    fp64_tflops,
    fp64_matrix_tflops,
    tf32_tflops,
    fp16_tflops,
    bf16_tflops,
    fp8_tflops,
    fp4_tflops,
    l2_mb,
    floors: { memory: floors[0], bf16: floors[1] },
    source,
    uncertain,
  };
}

/** The figure, or null if it must not be used for a verdict. */
export function certain(peak: GpuPeak, figure: PeakFigure): number | null {
  return figure in peak.uncertain ? null : peak[figure];
}

/** For models without published data on what healthy parts reach in a matrix multiply. */
export const CAUTIOUS_FLOOR = 0.5;
/** Copy and triad reach 77 to 92 % of the published bandwidth on most parts measured so far. */
export const MEMORY_FLOOR = 0.7;
