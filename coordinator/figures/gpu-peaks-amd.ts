import { CAUTIOUS_FLOOR, MEMORY_FLOOR, peakOf, type GpuFamily, type GpuPeak, type PeakLine } from './gpu-peak.ts';

const family = (market: GpuFamily['market'], architecture: string, generation: number | null): GpuFamily => ({
  vendor: 'amd',
  market,
  architecture,
  compute_capability: null,
  pcie: generation === null ? null : { generation, width: 16 },
});
const cdna2 = family('data-centre', 'gfx90a', 4);
const cdna3 = family('data-centre', 'gfx942', 5);
const cdna4 = family('data-centre', 'gfx950', 5);
const navi31 = family('consumer', 'gfx1100', 4);
const navi31Pro = family('workstation', 'gfx1100', 4);
const navi48 = family('consumer', 'gfx1201', 5);
const navi48Pro = family('workstation', 'gfx1201', 5);

/**
 * The marketing name as HIP, amd-smi and rocm-smi give it; server parts may append the form ("OAM", "(MCM) OAM AC MBA").
 * "VF" is a virtual function, by which clouds give a guest one whole card; a slice of it says so in its partition mode.
 */
const instinct = (name: string): RegExp =>
  new RegExp(`^(AMD )?Instinct ${name}( \\(MCM\\))?( (OAM|HF|AC|MBA|VF))*$`, 'i');
const radeon = (name: string): RegExp => new RegExp(`^(AMD )?Radeon ${name}$`, 'i');

const M = MEMORY_FLOOR;
const X = CAUTIOUS_FLOOR;
const packed = { fp32_tflops: 'packed multiply-adds do twice as much per clock as the sheet counts' };

/**
 * MI250 and MI250X: two dies are two devices, each with half of the sheet's figures, and they share one power budget.
 * "MI250X / MI250", as some drivers report, identifies neither. In bf16 libraries reach these shares of the dense peak:
 * MI300X 51 %, MI325X 60 %, MI355X 62 %; the maker's own floors are lower (MI325X 51 %, MI350X 41 %, MI355X 38 %). Streams
 * reach 71 to 74 % of the bandwidth of MI300X and MI325X, and less on MI300A. RDNA 3's fp32 counts dual issue.
 */
// prettier-ignore
const lines: PeakLine[] = [
  // name, reported, family, [GB, kind, bus bits, Gb/s per pin, GB/s], W, [fp32, fp64, fp64 on matrix units], [tf32, fp16, bf16, fp8], L2 MB, floors [memory, bf16]
  ['MI100', instinct('MI100'), family('data-centre', 'gfx908', 4), [32, 'HBM2', 4096, 2.4, 1228.8], 300, [23.1, 11.5], [null, 184.6, 92.3, null], 8, [M, 0.4],
    'AMD Instinct MI100 data sheet 2020'],
  ['MI210', instinct('MI210'), cdna2, [64, 'HBM2e', 4096, 3.2, 1638.4], 300, [22.6, 22.6, 45.3], [null, 181, 181, null], 8, [M, 0.4],
    'AMD Instinct MI210 data sheet 2022', packed],
  ['MI250 (one die)', instinct('MI250'), cdna2, [64, 'HBM2e', 4096, 3.2, 1638.4], null, [22.65, 22.65, 45.25], [null, 181, 181, null], 8, [M, 0.4],
    'AMD Instinct MI250 data sheet 2021, half', packed],
  ['MI250X (one die)', instinct('MI250X'), cdna2, [64, 'HBM2e', 4096, 3.2, 1638.4], null, [23.95, 23.95, 47.85], [null, 191.5, 191.5, null], 8, [M, 0.4],
    'AMD Instinct MI250X data sheet 2021, half', packed],
  ['MI300A', instinct('MI300A'), family('data-centre', 'gfx942', null), [128, 'HBM3', 8192, 5.2, 5300], 550, [122.6, 61.3, 122.6], [490.3, 980.6, 980.6, 1961.2], 24, [X, 0.4],
    'AMD Instinct MI300A data sheet 2023; the power is the package with its processor cores', { tdp_watts: '550 W, up to 760 W by its setting' }],
  ['MI300X', instinct('MI300X'), cdna3, [192, 'HBM3', 8192, 5.2, 5300], 750, [163.4, 81.7, 163.4], [653.7, 1307.4, 1307.4, 2614.9], 32, [0.65, 0.45],
    'AMD Instinct MI300X data sheet 2023'],
  ['MI325X', instinct('MI325X'), cdna3, [256, 'HBM3e', 8192, 6, 6000], 1000, [163.4, 81.7, 163.4], [653.7, 1307.4, 1307.4, 2614.9], 32, [0.63, 0.45],
    'AMD Instinct MI325X data sheet 2024'],
  ['MI350X', instinct('MI350X'), cdna4, [288, 'HBM3e', 8192, 8, 8000], 1000, [144.2, 72.1, 72.1], [null, 2306.9, 2306.9, 4613.7, 9227.5], 32, [0.6, 0.35],
    'AMD Instinct MI350X data sheet 2025'],
  ['MI355X', instinct('MI355X'), cdna4, [288, 'HBM3e', 8192, 8, 8000], 1400, [157.3, 78.6, 78.6], [null, 2516.6, 2516.6, 5033.2, 10_066.3], 32, [0.6, 0.35],
    'AMD Instinct MI355X data sheet 2025'],
  ['RX 7900 GRE', radeon('RX 7900 GRE'), navi31, [16, 'GDDR6', 256, 18, 576], 260, [46, null], [null, 92, 92, null], 6, [M, X],
    'AMD Radeon RX 7900 GRE product page 2024'],
  ['RX 7900 XT', radeon('RX 7900 XT'), navi31, [20, 'GDDR6', 320, 20, 800], 315, [51.6, null], [null, 103, 103, null], 6, [M, X],
    'AMD Radeon RX 7900 XT product page 2022'],
  ['RX 7900 XTX', radeon('RX 7900 XTX'), navi31, [24, 'GDDR6', 384, 20, 960], 355, [61.4, null], [null, 122.8, 122.8, null], 6, [M, X],
    'AMD Radeon RX 7900 XTX product page 2022'],
  ['RX 9070', radeon('RX 9070'), navi48, [16, 'GDDR6', 256, 20, 640], 220, [36.1, null], [null, 145, 145, 289], 8, [M, X],
    'AMD Radeon RX 9070 product page 2025'],
  ['RX 9070 XT', radeon('RX 9070 XT'), navi48, [16, 'GDDR6', 256, 20, 640], 304, [48.7, null], [null, 195, 195, 389], 8, [M, X],
    'AMD Radeon RX 9070 XT product page 2025'],
  ['PRO W7800', radeon('PRO W7800'), navi31Pro, [32, 'GDDR6', 256, 18, 576], 260, [45.2, null], [null, 90.5, 90.5, null], 6, [M, X],
    'AMD Radeon PRO W7800 data sheet 2023'],
  ['PRO W7900', radeon('PRO W7900'), navi31Pro, [48, 'GDDR6', 384, 18, 864], 295, [61.3, null], [null, 122.6, 122.6, null], 6, [M, X],
    'AMD Radeon PRO W7900 data sheet 2023'],
  ['AI PRO R9700', radeon('AI PRO R9700'), navi48Pro, [32, 'GDDR6', 256, 20, 640], 300, [47.8, null], [null, 191, 191, 383], 8, [M, X],
    'AMD Radeon AI PRO R9700 data sheet 2025'],
];

export const amdPeaks: readonly GpuPeak[] = lines.map(peakOf);
