import { CAUTIOUS_FLOOR, MEMORY_FLOOR, peakOf, type GpuFamily, type GpuPeak, type PeakLine } from './gpu-peak.ts';

const family = (architecture: string, generation: number | null, width = 16): GpuFamily => ({
  vendor: 'nvidia',
  market: 'data-centre',
  architecture,
  compute_capability: `${architecture.slice(3, -1)}.${architecture.slice(-1)}`,
  pcie: generation === null ? null : { generation, width },
});
const volta = family('sm_70', 3);
const turing = family('sm_75', 3);
const ga100 = family('sm_80', 4);
const ga102 = family('sm_86', 4);
const ada = family('sm_89', 4);
const hopper = family('sm_90', 5);
/** Grace reaches its GPU over NVLink-C2C, at several hundred GB/s. */
const graceHopper = family('sm_90', null);
const blackwell = family('sm_100', 5);
const graceBlackwell = family('sm_100', null);
const blackwellUltra = family('sm_103', 5);
const graceBlackwellUltra = family('sm_103', null);

/** The superchip of a desktop machine. */
const sparkFamily = { market: 'workstation', architecture: 'sm_121', compute_capability: '12.1' } as const;

/** The prefix is "NVIDIA" in current drivers, "Tesla" or missing in older ones. */
const named = (name: string): RegExp => new RegExp(`^(NVIDIA |Tesla |NVIDIA Tesla )?${name}$`, 'i');

const M = MEMORY_FLOOR;
const X = CAUTIOUS_FLOOR;
/**
 * Hopper runs at its power cap when it multiplies random numbers. After two seconds of load a healthy H200 (driver
 * 580.159.04) sustained these shares of its dense peaks: bf16 69 %, fp16 67 %, fp8 65 %, TF32 71 %; in its first second
 * 80 %. The floor is a tenth below the lowest of them.
 */
const H = 0.58;

const otherTables = 'one sheet; other tables repeat the A10 (62.5 and 125)';
const A10G_TENSOR = { tf32_tflops: otherTables, fp16_tflops: otherTables, bf16_tflops: otherTables };

/**
 * In bursts libraries reach these shares of the dense bf16 peak: A100 SXM 87 %, PCIe 81 %, H100 SXM and H200 80 %, GH200 84 %,
 * B200 78 %, B300 79 %, GB200 73 %. NVIDIA prints tensor rates "with sparsity"; here they are halved. H100's 989.4 is
 * 132 SMs x 4096 x 1.83 GHz; a part can boost to 1.98 GHz, which is 8 % more.
 * Custom builds (A100 64 GB, H100 64 and 94 GB, V100 SXM3) are different cards with different names.
 */
// prettier-ignore
const lines: PeakLine[] = [
  // name, reported, family, [GB, kind, bus bits, Gb/s per pin, GB/s], W, [fp32, fp64, fp64 on matrix units], [tf32, fp16, bf16, fp8], L2 MB, floors [memory, bf16]
  ['V100 SXM2 16GB', named('V100-SXM2-16GB'), volta, [16, 'HBM2', 4096, 1.76, 900], 300, [15.7, 7.8], [null, 125, null, null], 6, [M, X],
    'NVIDIA V100 data sheet 2020'],
  ['V100 SXM2 32GB', named('V100-SXM2-32GB'), volta, [32, 'HBM2', 4096, 1.76, 900], 300, [15.7, 7.8], [null, 125, null, null], 6, [M, X],
    'NVIDIA V100 data sheet 2020'],
  ['V100 PCIe 16GB', named('V100-PCIE-16GB'), volta, [16, 'HBM2', 4096, 1.76, 900], 250, [14, 7], [null, 112, null, null], 6, [M, X],
    'NVIDIA V100 data sheet 2020'],
  ['V100 PCIe 32GB', named('V100-PCIE-32GB'), volta, [32, 'HBM2', 4096, 1.76, 900], 250, [14, 7], [null, 112, null, null], 6, [M, X],
    'NVIDIA V100 data sheet 2020'],
  ['V100S PCIe', named('V100S-PCIE-32GB'), volta, [32, 'HBM2', 4096, 2.21, 1134], 250, [16.4, 8.2], [null, 130, null, null], 6, [M, X],
    'NVIDIA V100 data sheet 2020'],
  ['T4', named('T4'), turing, [16, 'GDDR6', 256, 10, 320], 70, [8.1, null], [null, 65, null, null], 4, [M, X],
    'NVIDIA T4 product brief 2020; some sheets say 300 GB/s, the clock and the bus give 320'],
  ['A2', named('A2'), family('sm_86', 4, 8), [16, 'GDDR6', 128, 12.5, 200], 60, [4.5, null], [9, 18, 18, null], null, [M, X],
    'NVIDIA A2 data sheet 2021'],
  ['A10', named('A10'), ga102, [24, 'GDDR6', 384, 12.5, 600], 150, [31.2, null], [62.5, 125, 125, null], 6, [M, X],
    'NVIDIA A10 data sheet 2021'],
  ['A10G', named('A10G'), ga102, [24, 'GDDR6', 384, 12.5, 600], 300, [31.5, null], [35, 70, 70, null], 6, [M, X],
    'NVIDIA A10G data sheet for AWS 2022', A10G_TENSOR],
  ['A16 (one of four)', named('A16'), family('sm_86', null), [16, 'GDDR6', 128, 12.5, 200], null, [4.5, null], [9, 17.9, 17.9, null], null, [M, X],
    'NVIDIA A16 data sheet 2021; the 250 W and the slot are those of the board with four devices'],
  ['A30', named('A30'), ga100, [24, 'HBM2', 3072, 2.43, 933], 165, [10.3, 5.2, 10.3], [82, 165, 165, null], 24, [M, X],
    'NVIDIA A30 data sheet 2021'],
  ['A40', named('A40'), ga102, [48, 'GDDR6', 384, 14.5, 696], 300, [37.4, null], [74.8, 149.7, 149.7, null], 6, [M, X],
    'NVIDIA A40 data sheet 2021'],
  ['A100 40GB PCIe', named('A100-PCI[Ee]-40GB'), ga100, [40, 'HBM2', 5120, 2.43, 1555], 250, [19.5, 9.7, 19.5], [156, 312, 312, null], 40, [M, 0.6],
    'NVIDIA A100 data sheet 2020'],
  ['A100 40GB SXM', named('A100-SXM4-40GB'), ga100, [40, 'HBM2', 5120, 2.43, 1555], 400, [19.5, 9.7, 19.5], [156, 312, 312, null], 40, [M, 0.75],
    'NVIDIA A100 data sheet 2020'],
  ['A100 80GB PCIe', named('A100(-| )(80GB PCIe|PCIE-80GB)'), ga100, [80, 'HBM2e', 5120, 3.02, 1935], 300, [19.5, 9.7, 19.5], [156, 312, 312, null], 40, [M, 0.6],
    'NVIDIA A100 data sheet 2021'],
  ['A100 80GB SXM', named('A100-SXM4-80GB'), ga100, [80, 'HBM2e', 5120, 3.19, 2039], 400, [19.5, 9.7, 19.5], [156, 312, 312, null], 40, [M, 0.75],
    'NVIDIA A100 data sheet 2021'],
  ['A800 80GB SXM', named('A800-SXM4-80GB'), ga100, [80, 'HBM2e', 5120, 3.19, 2039], 400, [19.5, 9.7, 19.5], [156, 312, 312, null], 40, [M, 0.75],
    'NVIDIA A800 data sheet 2022'],
  ['L4', named('L4'), ada, [24, 'GDDR6', 192, 12.5, 300], 72, [30.3, null], [60, 121, 121, 242.5], 48, [M, X],
    'NVIDIA L4 data sheet 2023'],
  ['L20', named('L20'), ada, [48, 'GDDR6', 384, 18, 864], 275, [59.35, null], [null, null, null, null], 96, [M, X],
    'NVIDIA L20 2023, by two catalogues of cards; no sheet of its maker was found, and its tensor rates by none'],
  ['L40', named('L40'), ada, [48, 'GDDR6', 384, 18, 864], 300, [90.5, null], [90.5, 181, 181, 362], 96, [M, X],
    'NVIDIA L40 data sheet 2022; half of the L40S on the same die'],
  ['L40S', named('L40S'), ada, [48, 'GDDR6', 384, 18, 864], 350, [91.6, null], [183, 362, 362, 733], null, [M, X],
    'NVIDIA L40S data sheet 2023'],
  ['H100 PCIe', named('H100 PCIe'), hopper, [80, 'HBM2e', 5120, 3.19, 2039], 350, [51.2, 25.6, 51.2], [378, 756, 756, 1513], 50, [M, 0.5],
    'NVIDIA H100 data sheet 2022; it rounds the bandwidth to 2 TB/s'],
  ['H100 SXM', named('H100 (80GB HBM3|SXM5?( 80GB)?)'), hopper, [80, 'HBM3', 5120, 5.23, 3350], 700, [66.9, 33.5, 66.9], [494.7, 989.4, 989.4, 1978.9], 50, [M, H],
    'NVIDIA H100 data sheet 2022'],
  ['H100 NVL', named('H100 NVL'), hopper, [94, 'HBM3', 6144, 5.13, 3938], 400, [60, 30, 60], [417.5, 835.5, 835.5, 1671], 50, [M, H],
    'NVIDIA H100 data sheet 2023'],
  ['H800 SXM', named('H800'), hopper, [80, 'HBM3', 5120, 5.23, 3350], 700, [66.9, 1, 1], [494.7, 989.4, 989.4, 1978.9], 50, [M, H],
    'NVIDIA H800 data sheet 2023'],
  ['H20', named('H20'), hopper, [96, 'HBM3', 6144, 5.2, 4000], 400, [44, 1, 1], [74, 148, 148, 296], 60, [M, X],
    'NVIDIA H20 data sheet 2024'],
  ['H20-3e', named('H20-3e'), hopper, [141, 'HBM3e', 6144, 6.25, 4800], null, [44, null], [null, null, null, null], null, [M, X],
    'NVIDIA H20-3e 2025, no sheet of its maker was found', { memory_bandwidth_gbs: 'one user quotes 4.8 TB/s (NVIDIA/nvbandwidth#48)', fp32_tflops: "the H20's; the chip is said to be the same" }],
  ['H200', named('H200'), hopper, [141, 'HBM3e', 6144, 6.25, 4800], 700, [67, 34, 67], [494.7, 989.4, 989.4, 1978.9], null, [M, H],
    'NVIDIA H200 data sheet 2024'],
  ['H200 NVL', named('H200 NVL'), hopper, [141, 'HBM3e', 6144, 6.25, 4800], 600, [60, 30, 60], [417.5, 835.5, 835.5, 1671], null, [M, H],
    'NVIDIA H200 data sheet 2024'],
  // The number in the driver's name is the memory of the Grace processor; the power is the module's.
  ['GH200 96GB', named('GH200 (480|120)GB'), graceHopper, [96, 'HBM3', 6144, 5.2, 4000], null, [67, 34, 67], [494, 989, 989, 1979], null, [M, H],
    'NVIDIA GH200 data sheet 2023'],
  ['GH200 144GB', named('GH200 144G HBM3e'), graceHopper, [144, 'HBM3e', 6144, 6.38, 4900], null, [67, 34, 67], [494, 989, 989, 1979], null, [M, H],
    'NVIDIA GH200 data sheet 2023'],
  ['B200', named('B200'), blackwell, [180, 'HBM3e', 8192, 8, 8000], 1000, [80, 40, 40], [1125, 2250, 2250, 4500, 9000], 126, [M, 0.6],
    'NVIDIA Blackwell architecture brief 2024', { memory_bandwidth_gbs: 'sheets say 8000 and 7700', fp32_tflops: 'sheets say 75 and 80', tf32_tflops: 'sheets say 1100 and 1125', fp64_tflops: 'sheets say 37 and 40', fp64_matrix_tflops: 'sheets say 37 and 40' }],
  ['GB200', named('GB200'), graceBlackwell, [186, 'HBM3e', 8192, 8, 8000], 1200, [80, 40, 40], [1250, 2500, 2500, 5000, 10_000], 126, [M, 0.55],
    'NVIDIA GB200 NVL72 data sheet 2024, a 72nd'],
  ['B300', named('B300( SXM6 AC)?'), blackwellUltra, [270, 'HBM3e', 8192, 8, 8000], 1100, [80, null], [1125, 2250, 2250, 4500], null, [M, 0.6],
    'NVIDIA HGX B300 data sheet 2025, an eighth', { tdp_watts: 'sheets say 1100 to 1400', fp32_tflops: 'sheets say 75 and 80' }],
  ['GB300', named('GB300'), graceBlackwellUltra, [279, 'HBM3e', 8192, 8, 8000], 1400, [80, null], [1250, 2500, 2500, 5000], null, [M, 0.55],
    'NVIDIA GB300 NVL72 data sheet 2025, a 72nd'],
  // The memory and the power are those of the package with its processor.
  ['GB10', named('GB10'), { ...graceBlackwell, ...sparkFamily }, [128, 'LPDDR5X', 256, 8.53, 273], null, [29.7, null], [null, null, null, null], null, [X, X],
    'NVIDIA DGX Spark product page 2025', { memory_bandwidth_gbs: '273 by the product page, 301 by the talk at Hot Chips 2025', fp32_tflops: 'catalogues say 29.7, the talk at Hot Chips 2025 about 31' }],
];

export const nvidiaDataCentrePeaks: readonly GpuPeak[] = lines.map(peakOf);
