import type { RuledVerdict } from '../contract/figure-verdict.ts';
import type { GpuPeak } from './gpu-peak.ts';
import type { Band } from './plausibility.ts';

/** Read while the link carries data: an idle link drops to generation 1. The maxima are what card and slot could do. */
export interface PcieLink {
  generation: number | null;
  width: number | null;
  generation_max?: number | null;
  width_max?: number | null;
}

/** GB/s of one lane and direction on the wire: 2.5, 5, 8, 16, 32 GT/s less line coding; generation 6 as 64 GT/s of flits. */
const laneGbs: Record<number, number> = { 1: 0.25, 2: 0.5, 3: 0.985, 4: 1.969, 5: 3.938, 6: 7.563 };
/** GB/s that a healthy x16 link reaches with pinned memory, less a tenth: 12.3, 24 to 26, 52 to 57. */
const floorOf16: Record<number, number> = { 3: 11, 4: 22, 5: 48 };
/** Where nobody has published what a healthy link reaches. */
const CAUTIOUS_SHARE = 0.7;
/** The superchips (GH200, GB200, GB300, GB10) do not reach their host over PCIe, even if a link is reported. */
const superchip = /\bG[HB]\d{2,3}\b/;

/** A copy over PCIe, by the link it ran on. Null if the host is reached by another way or the link is not known. */
export function pcieBand(model: string, peak: GpuPeak | null, link: PcieLink | null): Band | null {
  if (superchip.test(model) || (peak !== null && peak.market === 'data-centre' && peak.pcie === null)) return null;
  const wire = wireGbs(link?.generation, link?.width);
  if (!link || wire === null) return null;
  const { generation, width } = link;
  const best = Math.max(wire, wireGbs(link.generation_max, link.width_max) ?? wire);
  const known = floorOf16[generation ?? 0];
  const low = known === undefined ? CAUTIOUS_SHARE * wire : (known * (width ?? 16)) / 16;
  const from = best > wire ? ` (the card and slot could carry ${best.toFixed(1)})` : '';
  return {
    low,
    high: wire,
    unit: 'GB/s',
    below: 'warn',
    // Within what card and slot can do, the reading of the link may be the one that is wrong.
    above: best > wire ? 'warn' : 'bad',
    rule: `PCIe generation ${generation} x${width} reaches ${low.toFixed(1)} and carries ${wire.toFixed(1)} GB/s${from}`,
  };
}

/** Null if the link is not known. A link that came up narrower or slower than card and slot allow is a common fault. */
export function judgePcieLink(link: PcieLink): RuledVerdict | null {
  const { generation, width, generation_max = null, width_max = null } = link;
  if (generation === null || width === null || generation_max === null || width_max === null) return null;
  const is = `generation ${generation} x${width} under load`;
  if (generation >= generation_max && width >= width_max)
    return { verdict: 'ok', rule: `PCIe link at its best: ${is}` };
  return { verdict: 'warn', rule: `PCIe link degraded: ${is} of generation ${generation_max} x${width_max}` };
}

function wireGbs(generation: number | null | undefined, width: number | null | undefined): number | null {
  const lane = laneGbs[generation ?? 0];
  return lane === undefined || !width || width < 1 ? null : lane * width;
}
