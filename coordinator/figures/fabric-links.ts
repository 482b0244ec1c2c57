/** The links by which the GPUs of one model reach each other, and what healthy pairs get out of them. */
export interface Fabric {
  /** on one card */
  links: number;
  /** GB/s of one link in one direction on the wire */
  link_gbs: number;
  /**
   * `board`: the maker's board joins every pair, all by switches (each pair has all links) or, with four cards, directly (each
   * pair has a third). `bridge`: only pairs with a bridge are joined. `mesh`: one link for each pair. `irregular`: the board joins
   * pairs by different numbers of links, or not at all.
   */
  layout: 'board' | 'bridge' | 'mesh' | 'irregular';
  /** share of the wire below which a pair is suspect */
  floor: number;
  /** healthy cards behind the floor, all of publications: no pair has been measured by this program */
  cards: number;
  source: string;
}

type Line = [
  models: readonly string[],
  links: number,
  link_gbs: number,
  layout: Fabric['layout'],
  floor: number,
  cards: number,
  source: string,
];

const NVLINK_4 = 'NVLink 4, 25 GB/s per link and direction (NVIDIA H100 data sheet: 18 links, 900 GB/s)';
const EIGHT_H100 =
  'eight H100 SXM copy 371 to 380 of 450 GB/s (NVIDIA/nccl#1264), four without switches 130 of 150 (NVIDIA/cuda-samples#392)';
const UNPROVEN = 'floor by caution: no healthy pair is known';
/**
 * Rates of a link: hwloc#574 and nvidia-smi agree on 25 GB/s for NVLink 2 to 4. A pair of xGMI reaches three quarters of the wire
 * at best: two MI100 70 of 92 GB/s (ROCm#2499), MI300X 50 of 64.
 */
// prettier-ignore
const lines: readonly Line[] = [
  [['V100 SXM2 16GB', 'V100 SXM2 32GB'], 6, 25, 'irregular', 0.7, 0, `NVLink 2 (NVIDIA V100 data sheet: 6 links, 300 GB/s); ${UNPROVEN}`],
  [['A100 40GB SXM', 'A100 80GB SXM'], 12, 25, 'board', 0.7, 0, `NVLink 3 (NVIDIA A100 data sheet: 12 links, 600 GB/s); ${UNPROVEN}, both directions reach 430 to 520 of 600 (NVIDIA/nccl-tests#149)`],
  [['A800 80GB SXM'], 8, 25, 'board', 0.7, 0, `NVLink 3 (NVIDIA A800 data sheet: 400 GB/s); ${UNPROVEN}`],
  [['A100 40GB PCIe', 'A100 80GB PCIe'], 12, 25, 'bridge', 0.7, 0, `NVLink 3 bridges (NVIDIA A100 data sheet: 600 GB/s); ${UNPROVEN}`],
  [['H100 SXM', 'H200', 'H20'], 18, 25, 'board', 0.8, 12, `${NVLINK_4}; ${EIGHT_H100}`],
  [['H20-3e'], 18, 25, 'board', 0.7, 0, `${NVLINK_4}; ${UNPROVEN}`],
  [['H800 SXM'], 8, 25, 'board', 0.7, 0, `NVLink 4 (NVIDIA H800 data sheet: 400 GB/s); ${UNPROVEN}`],
  [['H100 PCIe', 'H100 NVL'], 12, 25, 'bridge', 0.7, 0, `NVLink 4 bridges (NVIDIA H100 data sheet: 600 GB/s); ${UNPROVEN}`],
  [['H200 NVL'], 18, 25, 'bridge', 0.7, 0, `NVLink 4 bridges (NVIDIA H200 data sheet: 900 GB/s); ${UNPROVEN}`],
  [['B200', 'B300', 'GB200', 'GB300'], 18, 50, 'board', 0.7, 0, `NVLink 5 (NVIDIA Blackwell architecture brief: 18 links, 1.8 TB/s); ${UNPROVEN}`],
  [['MI250 (one die)', 'MI250X (one die)'], 8, 50, 'irregular', 0.6, 0, `xGMI (AMD's MI250 microarchitecture: 25 GT/s x 16 = 50 GB/s); ${UNPROVEN}`],
  [['MI300X', 'MI325X'], 7, 64, 'mesh', 0.6, 0, `xGMI (AMD Instinct MI300X data sheet: 7 links of 128 GB/s in both directions); ${UNPROVEN}`],
];

/** Null for a model without such links, or whose links are not known here. */
export function fabricOf(model: string): Fabric | null {
  const line = lines.find(([models]) => models.includes(model));
  if (line === undefined) return null;
  const [, links, link_gbs, layout, floor, cards, source] = line;
  return { links, link_gbs, layout, floor, cards, source };
}
