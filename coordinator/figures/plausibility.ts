import type { RuledVerdict } from '../contract/figure-verdict.ts';
import { gpuPeak } from './gpu-peaks.ts';
import type { MatrixEngine } from '../contract/matrix-engine.ts';
import { pcieBand, type PcieLink } from './pcie-band.ts';
import { specBand } from './spec-band.ts';
import type { Fp32Mode } from './spec-peak.ts';

/** What a figure may be, ends included. */
export interface Band {
  low: number;
  high: number;
  unit: string;
  /** `bad`: cannot be, the measurement is wrong. `warn`: the device or its set-up is suspect. */
  below: 'warn' | 'bad';
  above: 'warn' | 'bad';
  /** the rule in words, with its numbers and their source */
  rule: string;
}

/** What else is known of the run. A rule whose facts are missing is not applied. */
export interface BandContext {
  /** a MIG slice or an AMD compute or memory partition: the data sheet speaks of the whole card */
  partitioned?: boolean;
  /** how `fp32_tflops` was computed */
  fp32_mode?: Fp32Mode | null;
  /** the engine behind a matrix product, and the runner's name of its instructions */
  engine?: MatrixEngine | null;
  path?: string | null;
  /** the link as read under load, and what card and slot could do */
  pcie?: PcieLink | null;
  power_cap_watts?: number | null;
  /** `module`: the sensor also counts a processor */
  power_scope?: 'gpu' | 'module' | null;
  /** power integrated over the same time as the energy; else mean power and seconds of that time */
  energy?: { integrated_wh: number } | { power_watts: number; seconds: number } | null;
}

/** Mean power above the cap by more is no reading of this device; sensors and caps agree within a few percent. */
const ABOVE_CAP = 1.15;
/** Idle cards draw 5 to 12 % of their rated power: a node of eight that "measured" 41.7 W was never under load. */
const IDLE_SHARE = 0.15;
/** Counter and integrated power of a healthy sensor agree to 5 %; part-time sensors err a little more. */
const ENERGY_GAP = 0.1;

/**
 * The band in which `metric` of a device of `model` (as its driver names it) is plausible, or null where no rule applies:
 * an unknown model, a figure nobody publishes, missing facts. The limits of copies, power, temperature and energy need
 * no known model.
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
      return peak === null ? null : specBand(peak, metric, computedOf(context));
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

const computedOf = ({ fp32_mode: mode = null, engine = null, path = null }: BandContext) => ({ mode, engine, path });

function powerBand(tdp: number | null, { power_cap_watts, power_scope, partitioned }: BandContext): Band | null {
  // A slice's power is measured on its card, a module's includes the processor's.
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
