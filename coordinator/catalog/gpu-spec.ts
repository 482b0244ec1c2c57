/** Published figures of one GPU model: dense tensor throughput without sparsity, per device, units in the names. */
export interface GpuSpec {
  name: string;
  compute_capability: string | null;
  memory_bandwidth_gbs: number;
  fp32_tflops: number;
  /** fp32 accumulation */
  bf16_tflops: number;
  /**
   * Share of the published bf16 peak below which a device is suspect while no peers are known: what healthy parts
   * reach with random data, less a tenth. Libraries reach 87 % on A100, 80 % on H100 and H200, 51 % on MI300X.
   */
  bf16_floor: number;
}

/** Where nobody has published what healthy parts reach. */
const CAUTIOUS_FLOOR = 0.5;
/** Copy and triad reach 77 to 92 % of the published bandwidth on every part measured so far. */
export const MEMORY_FLOOR = 0.7;

type Line = [
  name: string,
  reported: RegExp,
  capability: string | null,
  gbs: number,
  fp32: number,
  bf16: number,
  floor: number,
];

/**
 * Peaks from the makers' data sheets (A100 2020/21, A10 and L4 product pages, L40S 2023, H100 and H200 2022/24,
 * RTX 4090 "Ada" white paper, MI250X and MI300X data sheets); NVIDIA's figures "with sparsity" are halved, and so are
 * MI250X's, whose two dies are two devices. The first
 * pattern that matches the driver's name counts, so variants stand before the plain name.
 */
const lines: Line[] = [
  ['H200 NVL', /\bH200 NVL\b/, '9.0', 4800, 60, 835.5, 0.65],
  ['H200', /\bH200\b/, '9.0', 4800, 67, 989.4, 0.65],
  ['H100 NVL', /\bH100 NVL\b/, '9.0', 3938, 60, 835.5, 0.65],
  ['H100 PCIe', /\bH100 PCIe\b/, '9.0', 2039, 51.2, 756, 0.5],
  ['H100 SXM', /\bH100\b.*(HBM3|SXM)/, '9.0', 3350, 66.9, 989.4, 0.65],
  ['A100 80GB PCIe', /\bA100[ -](80GB PCIe|PCIE-80GB)/, '8.0', 1935, 19.5, 312, 0.6],
  ['A100 80GB SXM', /\bA100-SXM4-80GB\b/, '8.0', 2039, 19.5, 312, 0.75],
  ['A100 40GB PCIe', /\bA100-PCIE-40GB\b/, '8.0', 1555, 19.5, 312, 0.6],
  ['A100 40GB SXM', /\bA100-SXM4-40GB\b/, '8.0', 1555, 19.5, 312, 0.75],
  ['L40S', /\bL40S\b/, '8.9', 864, 91.6, 362, CAUTIOUS_FLOOR],
  ['A10', /\bA10\b/, '8.6', 600, 31.2, 125, CAUTIOUS_FLOOR],
  ['L4', /\bL4\b/, '8.9', 300, 30.3, 121, CAUTIOUS_FLOOR],
  ['RTX 4090', /\bRTX 4090(?! D| Laptop)\b/, '8.9', 1008, 82.6, 165.2, 0.7],
  ['MI250X (one die)', /\bMI250X\b/, null, 1638.4, 23.95, 191.5, 0.4],
  ['MI300X', /\bMI300X\b/, null, 5300, 163.4, 1307, 0.45],
];

/** The published figures of the model a driver reports, or null where we hold none: never a near relative's. */
export function gpuSpec(reportedModel: string): GpuSpec | null {
  const line = lines.find(([, reported]) => reported.test(reportedModel));
  if (!line) return null;
  const [name, , compute_capability, memory_bandwidth_gbs, fp32_tflops, bf16_tflops, bf16_floor] = line;
  return { name, compute_capability, memory_bandwidth_gbs, fp32_tflops, bf16_tflops, bf16_floor };
}
