import type { RuledVerdict } from '../contract/figure-verdict.ts';
import type { MatrixEngine } from '../contract/matrix-engine.ts';
import type { LoadMark } from '../contract/load-class.ts';
import type { GpuPeak } from './gpu-peak.ts';
import { type ComputedBy, type Fp32Mode, gpuPeak } from './gpu-peaks.ts';
import { type CameAbout, referenceOf, sheetPeak } from './references.ts';

/** The plausible range of a figure, ends included. */
export interface Band {
  low: number;
  high: number;
  unit: string;
  /** `bad`: impossible, so the measurement is wrong. `warn`: the device or its set-up is suspect. */
  below: 'warn' | 'bad';
  above: 'warn' | 'bad';
  /** the rule in words, with its numbers and their source */
  rule: string;
  /** a figure that passes but lies below this is not called good, and why */
  unsure?: { below: number; words: string };
}

/** What else is known of the run. A rule whose facts are missing is not applied. */
export interface BandContext {
  /** a MIG slice or an AMD compute or memory partition: the data sheet describes the whole card */
  partitioned?: boolean;
  /** how `fp32_tflops` was computed */
  fp32_mode?: Fp32Mode | null;
  /** the engine behind a matrix product, and the runner's name of its instructions */
  engine?: MatrixEngine | null;
  path?: string | null;
  /** load class of a product or peak */
  load?: LoadMark | null;
  /** the link as read under load, and what card and slot could do */
  pcie?: PcieLink | null;
  power_cap_watts?: number | null;
  /** `module`: the sensor also counts a processor */
  power_scope?: 'gpu' | 'module' | null;
  /** power integrated over the same time as the energy; else mean power and seconds of that time */
  energy?: { integrated_wh: number } | { power_watts: number; seconds: number } | null;
}

/** Mean power further above the cap cannot be a reading of this device; sensors and caps agree within a few percent. */
const ABOVE_CAP = 1.15;
/** Idle cards draw 5 to 12 % of their rated power: a node of eight that "measured" 41.7 W was never under load. */
const IDLE_SHARE = 0.15;
/** Counter and integrated power of a healthy sensor agree to 5 %; part-time sensors err a little more. */
const ENERGY_GAP = 0.1;

/**
 * The band in which `metric` of a device of `model` (as its driver names it) is plausible, or null if no rule applies:
 * an unknown model, an unpublished figure, missing facts. The limits of copies, power, temperature and energy do not
 * require a known model.
 */
export function bandOf(model: string, metric: string, context: BandContext = {}): Band | null {
  const peak = context.partitioned === true ? null : gpuPeak(model);
  switch (metric) {
    case 'host_to_device_bandwidth_gbs':
    case 'device_to_host_bandwidth_gbs':
      return pcieBand(model, peak, context.pcie ?? null);
    case 'power_consumption_watts':
      return powerBand(peak && !('tdp_watts' in peak.uncertain) ? peak.tdp_watts : null, context);
    case 'temperature_centigrade':
      return { low: 1, high: 119, unit: '°C', below: 'bad', above: 'bad', rule: 'a working sensor reads 1 to 119 °C' };
    case 'energy_consumption_wh':
      return energyBand(context);
    default:
      return peak === null ? null : specBand(peak, model, metric, computedOf(context));
  }
}

/** The verdict on a measured figure, with both numbers in its rule. */
export function judgeByBand(value: number, band: Band): RuledVerdict {
  const { low, high, unit, rule } = band;
  const is = `${printed(value)} ${unit}`;
  if (value > high) {
    const words = band.above === 'bad' ? 'above the physical limit of' : 'above';
    return { verdict: band.above, rule: `${is} is ${words} ${printed(high)} ${unit}: ${rule}` };
  }
  if (!(value >= low)) return { verdict: band.below, rule: `${is} is below ${printed(low)} ${unit}: ${rule}` };
  return { verdict: 'ok', rule };
}

const computedOf = ({ fp32_mode: mode = null, engine = null, path = null, load = null }: BandContext) => ({
  mode,
  engine,
  path,
  load,
});

function powerBand(tdp: number | null, { power_cap_watts, power_scope, partitioned }: BandContext): Band | null {
  // The power of a slice is measured for its whole card, that of a module includes the processor.
  if (partitioned === true || power_scope === 'module') return null;
  const cap = power_cap_watts ?? tdp;
  if (cap === null || cap <= 0) return null;
  const rated = tdp === null ? null : Math.min(tdp, cap);
  const atLeast =
    rated === null ? '' : `at least ${IDLE_SHARE} of the rated ${printed(rated)} W under load (less is idle power), `;
  return {
    low: rated === null ? 0 : IDLE_SHARE * rated,
    high: ABOVE_CAP * cap,
    unit: 'W',
    below: 'warn',
    above: 'warn',
    rule: `${atLeast}at most ${ABOVE_CAP} of the ${printed(cap)} W that the card is capped at`,
  };
}

function energyBand({ energy }: BandContext): Band | null {
  if (!energy) return null;
  const expected = 'integrated_wh' in energy ? energy.integrated_wh : (energy.power_watts * energy.seconds) / 3600;
  if (!(expected > 0)) return null;
  const how =
    'integrated_wh' in energy
      ? 'power integrated over the run'
      : `${printed(energy.power_watts)} W x ${printed(energy.seconds)} s / 3600`;
  return {
    low: (1 - ENERGY_GAP) * expected,
    high: (1 + ENERGY_GAP) * expected,
    unit: 'Wh',
    below: 'warn',
    above: 'warn',
    rule: `within ${ENERGY_GAP * 100} % of ${printed(expected)} Wh, the ${how}`,
  };
}

/** Four significant digits, without an exponent. */
const printed = (value: number): string => String(Number(value.toPrecision(4)));

/** How a throughput was computed, which determines what to expect of it. */
interface Computed extends ComputedBy {
  /** null if unknown: then treated as the library, which the floors are based on */
  engine: MatrixEngine | null;
  load: LoadMark | null;
}

/** Published rates are at a nominal clock that parts exceed by up to 8 % when power and cooling allow. */
const BOOST = 1.1;
/**
 * A throughput at most at what the data sheet allows, and at least at what healthy cards reach: by our own runs where cards of the
 * model were measured in this way, else by caution.
 */
export function specBand(peak: GpuPeak, model: string, metric: string, by: Computed): Band | null {
  const how = { ...by, arithmetic: null };
  const reference = referenceOf(model, metric, how);
  const published = sheetPeak(model, metric, how);
  if (reference === null || published === null) return null;
  const share = reference.low / published;
  const ceiling = metric === 'memory_bandwidth_gbs' ? 1 : BOOST;
  const unit = metric === 'memory_bandwidth_gbs' ? 'GB/s' : 'TFLOP/s';
  const isWholeTruth = peak.market === 'data-centre';
  const why =
    reference.basis === 'measured'
      ? `${peak.source}; a healthy one reaches ${printed(reference.value)}: ${reference.source}`
      : reference.source;
  const unsure = unsureBelow(model, metric, how, reference.low);
  const range = `${share.toFixed(2)} to ${ceiling.toFixed(2)} of the ${published} ${unit} published for ${peak.name}`;
  return {
    low: reference.low,
    high: ceiling * published,
    unit,
    below: 'warn',
    // Other cards are sold overclocked and may be tuned by their owner.
    above: isWholeTruth ? 'bad' : 'warn',
    rule: `${range} (${why})`,
    ...(unsure === null ? {} : { unsure: { below: unsure, words: UNPROVEN } }),
  };
}

const UNPROVEN =
  'no verdict beside the data sheet: less than libraries reach on such cards, and our kernels have run on none of this architecture';

/** Where our kernels are not proven, a figure below what the library is held to may be theirs or a fault of the card. */
function unsureBelow(model: string, metric: string, how: CameAbout, low: number): number | null {
  const library = how.engine === 'own' ? referenceOf(model, metric, { ...how, engine: 'vendor' }) : null;
  return library !== null && library.low > low ? library.low : null;
}

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
/** For generations without published data on what a healthy link reaches. */
const CAUTIOUS_SHARE = 0.7;
/** The superchips (GH200, GB200, GB300, GB10) do not reach their host over PCIe, even if a link is reported. */
const superchip = /\bG[HB]\d{2,3}\b/;

/**
 * A copy over PCIe: at most what the link carried on which it ran, at least what healthy links reach of the generation and width
 * that card and slot could have. Null if the host is reached another way or the link is unknown.
 */
export function pcieBand(model: string, peak: GpuPeak | null, link: PcieLink | null): Band | null {
  if (superchip.test(model) || (peak !== null && peak.market === 'data-centre' && peak.pcie === null)) return null;
  if (link === null) return null;
  const [ran, could] = [wireOf(link.generation, link.width), wireOf(link.generation_max, link.width_max)];
  const [wire, best] = [ran ?? could, could ?? ran];
  if (wire === null || best === null) return null;
  const low = Math.max(wire.floor, best.floor);
  const from = best.gbs > wire.gbs ? ` (the card and slot could carry ${best.gbs.toFixed(1)})` : '';
  return {
    low,
    high: wire.gbs,
    unit: 'GB/s',
    below: 'warn',
    // If card and slot can do more than the link as read, or it was not read, that reading may be wrong instead of the figure.
    above: ran === null || best.gbs > wire.gbs ? 'warn' : 'bad',
    rule: `PCIe ${wire.words} carries ${wire.gbs.toFixed(1)}, and a healthy ${best.words} reaches ${low.toFixed(1)} GB/s${from}`,
  };
}

/** Null if the link is unknown. A link that came up narrower or slower than card and slot allow is a common fault. */
export function judgePcieLink(link: PcieLink): RuledVerdict | null {
  const { generation, width, generation_max = null, width_max = null } = link;
  if (generation === null || width === null || generation_max === null || width_max === null) return null;
  const is = `generation ${generation} x${width} under load`;
  if (generation >= generation_max && width >= width_max)
    return { verdict: 'ok', rule: `PCIe link at its best: ${is}` };
  return { verdict: 'warn', rule: `PCIe link degraded: ${is} of generation ${generation_max} x${width_max}` };
}

/** GB/s on the wire and what a healthy link reaches of it. */
function wireOf(
  generation: number | null | undefined,
  width: number | null | undefined,
): { gbs: number; floor: number; words: string } | null {
  const lane = laneGbs[generation ?? 0];
  if (lane === undefined || !width || width < 1) return null;
  const known = floorOf16[generation ?? 0];
  const gbs = lane * width;
  const floor = known === undefined ? CAUTIOUS_SHARE * gbs : (known * width) / 16;
  return { gbs, floor, words: `generation ${generation} x${width}` };
}
