import { CAUTIOUS_FLOOR, MEMORY_FLOOR, peakOf, type GpuFamily, type GpuPeak, type PeakLine } from './gpu-peak.ts';

const family = (market: GpuFamily['market'], capability: string, generation: number, width = 16): GpuFamily => ({
  vendor: 'nvidia',
  market,
  architecture: `sm_${capability.replace('.', '')}`,
  compute_capability: capability,
  pcie: { generation, width },
});
const ampere = family('consumer', '8.6', 4);
const ada = family('consumer', '8.9', 4);
const adaNarrow = family('consumer', '8.9', 4, 8);
const blackwell = family('consumer', '12.0', 5);
const blackwellNarrow = family('consumer', '12.0', 5, 8);
const ampereWork = family('workstation', '8.6', 4);
const adaWork = family('workstation', '8.9', 4);
const blackwellWork = family('workstation', '12.0', 5);

/** The whole name, so that a Ti, a SUPER or a D is never taken for the plain card. */
const named = (name: string): RegExp => new RegExp(`^(NVIDIA )?${name}$`, 'i');
const geForce = (number: string): RegExp => named(`(GeForce )?RTX ${number}( \\d+GB)?`);

const M = MEMORY_FLOOR;
const X = CAUTIOUS_FLOOR;
const twoRates =
  'four times fp32 is 106.9 TFLOPS fp16, a quarter of the tensor rate of 327.6 on the same sheet is 81.9';
const serverPage =
  "twice the product page's tf32 of 234; its fp16 of 1 PFLOPS is sparse and rounded, its fp32 of 120 of another clock";
const uncertainTensor = (why: string): GpuPeak['uncertain'] => ({
  tf32_tflops: why,
  fp16_tflops: why,
  bf16_tflops: why,
  fp8_tflops: why,
});

const blackwellRates = (fp32: string): GpuPeak['uncertain'] => ({
  ...uncertainTensor('an eighth of the printed sparse fp4 rate, which no second sheet confirms'),
  fp32_tflops: `sheets and catalogues say ${fp32}`,
});

/**
 * GeForce: tensor rates with fp32 accumulation are half of those with fp16, and the advertised ones are with fp16 or
 * sparse. RTX 50's fp8 rate is left out: library runs exceed the half-rate figure. A professional card runs fp32
 * accumulation at the full rate.
 * Left out, since one driver name covers cards of different memory: RTX 3060 (12 and 8 GB), 3060 Ti (GDDR6 and GDDR6X),
 * 3080 (10 and 12 GB). The later RTX 4070 with GDDR6 has 480 GB/s, within the bands of the first.
 */
// prettier-ignore
const lines: PeakLine[] = [
  // name, reported, family, [GB, kind, bus bits, Gb/s per pin, GB/s], W, [fp32, fp64], [tf32, fp16, bf16, fp8], L2 MB, floors [memory, bf16]
  ['RTX 3070', geForce('3070'), ampere, [8, 'GDDR6', 256, 14, 448], 220, [20.3, null], [20.3, 40.6, 40.6, null], 4, [M, X],
    'NVIDIA Ampere GA102 white paper 2021'],
  ['RTX 3070 Ti', geForce('3070 Ti'), ampere, [8, 'GDDR6X', 256, 19, 608], 290, [21.7, null], [21.7, 43.5, 43.5, null], 4, [M, X],
    'NVIDIA GeForce RTX 3070 product page 2021'],
  ['RTX 3080 Ti', geForce('3080 Ti'), ampere, [12, 'GDDR6X', 384, 19, 912], 350, [34.1, null], [34.1, 68.2, 68.2, null], 6, [M, X],
    'NVIDIA GeForce RTX 3080 product page 2021'],
  ['RTX 3090', geForce('3090'), ampere, [24, 'GDDR6X', 384, 19.5, 936], 350, [35.6, null], [35.6, 71, 71, null], 6, [M, X],
    'NVIDIA Ampere GA102 white paper 2021'],
  ['RTX 3090 Ti', geForce('3090 Ti'), ampere, [24, 'GDDR6X', 384, 21, 1008], 450, [40, null], [40, 80, 80, null], 6, [M, X],
    'NVIDIA Ada white paper 2022, its comparison'],
  ['RTX 4060', geForce('4060'), adaNarrow, [8, 'GDDR6', 128, 17, 272], 115, [15.1, null], [15.1, 30.2, 30.2, 60.5], 24, [M, X],
    'NVIDIA GeForce RTX 4060 product page 2023'],
  ['RTX 4060 Ti', geForce('4060 Ti'), adaNarrow, [8, 'GDDR6', 128, 18, 288], 160, [22.1, null], [22.1, 44.1, 44.1, 88.2], 32, [M, X],
    'NVIDIA GeForce RTX 4060 product page 2023; with 16 GB 165 W'],
  ['RTX 4070', geForce('4070'), ada, [12, 'GDDR6X', 192, 21, 504], 200, [29.1, null], [29.1, 58.3, 58.3, 116.6], 36, [M, X],
    'NVIDIA GeForce RTX 4070 product page 2023'],
  ['RTX 4070 SUPER', geForce('4070 SUPER'), ada, [12, 'GDDR6X', 192, 21, 504], 220, [35.5, null], [35.5, 71, 71, 142], 48, [M, X],
    'NVIDIA GeForce RTX 4070 product page 2024'],
  ['RTX 4070 Ti', geForce('4070 Ti'), ada, [12, 'GDDR6X', 192, 21, 504], 285, [40.1, null], [40.1, 80.2, 80.2, 160.4], 48, [M, X],
    'NVIDIA GeForce RTX 4070 product page 2023'],
  ['RTX 4070 Ti SUPER', geForce('4070 Ti SUPER'), ada, [16, 'GDDR6X', 256, 21, 672], 285, [44.1, null], [44.1, 88.2, 88.2, 176.4], null, [M, X],
    'NVIDIA GeForce RTX 4070 product page 2024'],
  ['RTX 4080', geForce('4080'), ada, [16, 'GDDR6X', 256, 22.4, 717], 320, [48.7, null], [48.7, 97.5, 97.5, 194.9], 64, [M, X],
    'NVIDIA Ada white paper 2022'],
  ['RTX 4080 SUPER', geForce('4080 SUPER'), ada, [16, 'GDDR6X', 256, 23, 736], 320, [52.2, null], [52.2, 104.4, 104.4, 208.9], 64, [M, X],
    'NVIDIA GeForce RTX 4080 product page 2024'],
  ['RTX 4090', geForce('4090'), ada, [24, 'GDDR6X', 384, 21, 1008], 450, [82.6, null], [82.6, 165.2, 165.2, 330.3], 72, [M, 0.7],
    'NVIDIA Ada white paper 2022'],
  ['RTX 5060', geForce('5060'), blackwellNarrow, [8, 'GDDR7', 128, 28, 448], 145, [19.2, null], [19.2, 38.4, 38.4, null], 32, [M, X],
    'NVIDIA GeForce RTX 5060 product page 2025'],
  ['RTX 5060 Ti', geForce('5060 Ti'), blackwellNarrow, [16, 'GDDR7', 128, 28, 448], 180, [23.7, null], [23.7, 47.4, 47.4, null], 32, [M, X],
    'NVIDIA GeForce RTX 5060 product page 2025'],
  ['RTX 5070', geForce('5070'), blackwell, [12, 'GDDR7', 192, 28, 672], 250, [30.9, null], [30.9, 61.7, 61.7, null], null, [M, X],
    'NVIDIA RTX Blackwell white paper 2025'],
  ['RTX 5070 Ti', geForce('5070 Ti'), blackwell, [16, 'GDDR7', 256, 28, 896], 300, [43.9, null], [43.9, 87.9, 87.9, null], 48, [M, X],
    'NVIDIA RTX Blackwell white paper 2025'],
  ['RTX 5080', geForce('5080'), blackwell, [16, 'GDDR7', 256, 30, 960], 360, [56.3, null], [56.3, 112.6, 112.6, null], 64, [M, X],
    'NVIDIA RTX Blackwell white paper 2025'],
  ['RTX 5090', geForce('5090'), blackwell, [32, 'GDDR7', 512, 28, 1792], 575, [104.8, null], [104.8, 209.5, 209.5, null], 96, [M, X],
    'NVIDIA RTX Blackwell white paper 2025'],
  ['RTX A4000', named('RTX A4000'), ampereWork, [16, 'GDDR6', 256, 14, 448], 140, [19.2, null], [38.3, 76.7, 76.7, null], 4, [M, X],
    'NVIDIA RTX A4000 data sheet 2021'],
  ['RTX A4500', named('RTX A4500'), ampereWork, [20, 'GDDR6', 320, 16, 640], 200, [23.7, null], [47.3, 94.6, 94.6, null], 6, [M, X],
    'NVIDIA RTX A4500 data sheet 2021'],
  ['RTX A5000', named('RTX A5000'), ampereWork, [24, 'GDDR6', 384, 16, 768], 230, [27.8, null], [55.5, 111.1, 111.1, null], 6, [M, X],
    'NVIDIA RTX A5000 data sheet 2021'],
  ['RTX A6000', named('RTX A6000'), ampereWork, [48, 'GDDR6', 384, 16, 768], 300, [38.7, null], [77.4, 154.8, 154.8, null], 6, [M, X],
    'NVIDIA RTX A6000 data sheet 2020'],
  ['RTX 4000 SFF Ada', named('RTX 4000 SFF Ada Generation'), adaWork, [20, 'GDDR6', 160, 14, 280], 70, [19.2, null], [38.3, 76.7, 76.7, 153.4], null, [M, X],
    'NVIDIA RTX 4000 SFF Ada data sheet 2023'],
  ['RTX 4000 Ada', named('RTX 4000 Ada Generation'), adaWork, [20, 'GDDR6', 160, 18, 360], 130, [26.7, null], [53.5, 106.9, 106.9, 213.8], null, [M, X],
    'NVIDIA RTX 4000 Ada data sheet 2023', uncertainTensor(twoRates)],
  ['RTX 4500 Ada', named('RTX 4500 Ada Generation'), adaWork, [24, 'GDDR6', 192, 18, 432], 210, [39.6, null], [79.3, 158.5, 158.5, 317], null, [M, X],
    'NVIDIA RTX 4500 Ada data sheet 2023'],
  ['RTX 5000 Ada', named('RTX 5000 Ada Generation'), adaWork, [32, 'GDDR6', 256, 18, 576], 250, [65.3, null], [130.6, 261.1, 261.1, 522.2], null, [M, X],
    'NVIDIA RTX 5000 Ada data sheet 2023'],
  ['RTX 6000 Ada', named('RTX 6000 Ada Generation'), adaWork, [48, 'GDDR6', 384, 20, 960], 300, [91.1, null], [182.1, 364.2, 364.2, 728.5], 96, [M, X],
    'NVIDIA RTX 6000 Ada data sheet 2022'],
  ['RTX PRO 6000 Workstation', named('RTX PRO 6000 Blackwell Workstation Edition'), blackwellWork, [96, 'GDDR7', 512, 28, 1792], 600, [126, null], [251.9, 503.8, 503.8, 1007.6], 128, [M, X],
    'NVIDIA RTX Blackwell PRO white paper 2025'],
  ['RTX PRO 6000 Max-Q', named('RTX PRO 6000 Blackwell Max-Q Workstation Edition'), blackwellWork, [96, 'GDDR7', 512, 28, 1792], 300, [109.7, null], [219.5, 438.9, 438.9, 877.9], 128, [M, X],
    'NVIDIA RTX Blackwell PRO white paper 2025'],
  ['RTX PRO 6000 Server', named('RTX PRO 6000 Blackwell Server Edition'), { ...blackwellWork, market: 'data-centre' }, [96, 'GDDR7', 512, 25, 1597], 600, [120, null], [234, 468, 468, 936], 128, [M, X],
    'NVIDIA RTX PRO 6000 Server Edition product page 2025', uncertainTensor(serverPage)],
  ['RTX PRO 5000', named('RTX PRO 5000 (72GB )?Blackwell'), blackwellWork, [48, 'GDDR7', 384, 28, 1344], 300, [66.9, null], [null, 258, 258, null], 96, [M, X],
    'NVIDIA RTX PRO 5000 Blackwell data sheet 2025; another make has 72 GB', blackwellRates('65, 66.9 and 73.7')],
  ['RTX PRO 4500', named('RTX PRO 4500 Blackwell'), blackwellWork, [32, 'GDDR7', 256, 28, 896], 200, [52.7, null], [null, 210.9, 210.9, null], 64, [M, X],
    'NVIDIA RTX PRO 4500 Blackwell data sheet 2025', blackwellRates('50.5, 52.7 and 54.9')],
  ['RTX PRO 4000', named('RTX PRO 4000 Blackwell'), blackwellWork, [24, 'GDDR7', 192, 28, 672], 140, [36.8, null], [null, 147.3, 147.3, null], 48, [M, X],
    'NVIDIA RTX PRO 4000 Blackwell data sheet 2025', blackwellRates('36.8 and 46.9')],
  ['RTX PRO 4000 SFF', named('RTX PRO 4000 Blackwell SFF Edition'), blackwellWork, [24, 'GDDR7', 192, 18, 432], 70, [24, null], [null, null, null, null], 48, [M, X],
    'NVIDIA RTX PRO 4000 Blackwell SFF 2025, by two catalogues of cards', { memory_bandwidth_gbs: 'one catalogue' }],
  ['RTX PRO 2000', named('RTX PRO 2000 Blackwell'), { ...blackwellWork, pcie: { generation: 5, width: 8 } }, [16, 'GDDR7', 128, 18, 288], 70, [17, null], [null, null, null, null], 32, [M, X],
    'NVIDIA RTX PRO 2000 Blackwell 2025, by two catalogues of cards', { memory_bandwidth_gbs: 'one catalogue' }],
];

export const nvidiaRtxPeaks: readonly GpuPeak[] = lines.map(peakOf);
