import { engineFindings, type Finding, type JudgedFigure, ownFinding, valueOf } from './judge-figure.ts';
import { judgePeerGroup } from './judge-peers.ts';
import { spreadKind } from './comparison-limits.ts';
import { laneFindings } from './judge-lanes.ts';
import { togetherFindings, type GapOfFigure } from './judge-together.ts';
import { publishedFindings } from './judge-limits.ts';
import { bandFindings, type JudgedDevice } from './judge-spec-band.ts';

/** A device with its figures and the details of its run. */
export interface MeasuredFigures<F extends JudgedFigure = JudgedFigure> {
  device: JudgedDevice;
  figures: readonly F[];
  /** details of one metric; empty if unknown */
  details: (metric: string) => Record<string, unknown>;
  /** metric -> its figure with all devices of the node at work beside the same alone */
  together?: Readonly<Record<string, GapOfFigure>>;
}

/** Units of comparable figures: rates, or latencies (lower is better). Power, temperature and energy vary between equal cards. */
const COMPARED_UNITS: Readonly<Record<string, 'rate' | 'latency'>> = {
  'GB/s': 'rate',
  'TFLOP/s': 'rate',
  ns: 'latency',
};
export const isCompared = ({ unit }: JudgedFigure): boolean => COMPARED_UNITS[unit] !== undefined;
export const isLatency = ({ unit }: JudgedFigure): boolean => COMPARED_UNITS[unit] === 'latency';

/**
 * Findings on the devices of a node, in the order of `devices`, by the rules that look beyond a single figure: spec band,
 * physical limits, lanes at the counted clock, peers in the node, `further` (such as a baseline), one engine against the other, what it loses while the
 * other devices work, then what happened to the card during the run. The agent applies them before it uploads, and the coordinator again to what it receives.
 */
export function judgeDevices<D extends MeasuredFigures>(
  devices: readonly D[],
  further: (measured: D) => Finding[] = () => [],
): Finding[][] {
  const peers = peerFindings(devices);
  return devices.map((measured) => {
    const { device, figures, details, together = {} } = measured;
    return [
      ...bandFindings(device, figures, details),
      ...publishedFindings(device, figures),
      ...laneFindings(device, figures, details),
      ...(peers.get(measured) ?? []),
      ...further(measured),
      ...engineFindings(figures, details),
      ...togetherFindings(Object.fromEntries(Object.entries(together).filter(([metric]) => !isBrief(figures, metric)))),
      ...conditionFindings(figures, details),
      ...(device.vendor === 'cpu' ? issueFindings(figures, details) : []),
    ];
  });
}

/** A figure of a load too short, or not known, to be compared with the same beside other cards at work. */
const isBrief = (figures: readonly JudgedFigure[], metric: string): boolean =>
  spreadKind(metric, figures.find((figure) => figure.metric === metric)?.load ?? null) === 'brief';

/** Cards of one model against their median; with two it is unclear which one is wrong, so both are marked. */
function peerFindings(devices: readonly MeasuredFigures[]): Map<MeasuredFigures, Finding[]> {
  const found = new Map<MeasuredFigures, Finding[]>(devices.map((measured) => [measured, []]));
  const cards = devices.filter(({ device }) => device.vendor !== 'cpu');
  for (const model of Map.groupBy(cards, ({ device }) => device.name).values()) {
    const metrics = new Set(model.flatMap(({ figures }) => figures.filter(isCompared).map((figure) => figure.metric)));
    for (const metric of metrics) {
      const having = model.flatMap((measured) => {
        const figure = measured.figures.find((one) => one.metric === metric);
        const value = figure === undefined ? null : valueOf(figure);
        return figure === undefined || value === null || value <= 0 ? [] : [{ measured, figure, value }];
      });
      const better = having.some(({ figure }) => isLatency(figure)) ? 'lower' : 'higher';
      for (const { card, finding } of judgePeerGroup(having, better)) found.get(card.measured)?.push(finding);
    }
  }
  return found;
}

/** Multiply-adds of a processor over what its cores issue at the counted clock: within these for a core that works alone. */
const ISSUE_SHARE = { low: 0.9, high: 1.05 };

/**
 * The multiply-add figure against multiply-adds per cycle of this microarchitecture x clock, where the runner's table has the
 * core (`issue_share`). Without the cores to itself the figure is judged by that alone.
 */
function issueFindings(
  figures: readonly JudgedFigure[],
  details: (metric: string) => Record<string, unknown>,
): Finding[] {
  return figures.flatMap((figure): Finding[] => {
    const { issue_share: share, core, core_sources: sources } = details(figure.metric);
    if (typeof share !== 'number' || typeof core !== 'string' || valueOf(figure) === null) return [];
    if (ownFinding(figure, 'cpu').verdict !== 'ok') return [];
    const by = sources === 1 ? ', by the one source that says how much that is' : '';
    const words = `${share.toFixed(2)} of what cores of ${core.slice(0, 40)} issue at the counted clock${by}`;
    const found = (verdict: 'ok' | 'warn', reason: string | null): Finding[] => [
      { metric: figure.metric, verdict, rule: 'issue rate', reason },
    ];
    if (share > ISSUE_SHARE.high)
      return found('warn', `${words}: the clock was counted while other work held the cores`);
    if (share < ISSUE_SHARE.low) return found('warn', `${words}: threads that share a core, or other work on it`);
    return found('ok', null);
  });
}

/** Limits that hold every card back under full load. */
const LIMITS = new Set(['sw_power_cap', 'current_limit']);
/** Change from the first to the last quarter of a series above which the device had not settled. */
const SETTLED_SHARE = 0.02;
/**
 * Counters advance every 20 to 100 ms: over less time than this they differ from the power without being wrong, which is
 * missing evidence and not a contradiction. Nor is a ratio within a tenth of 1.
 */
const ENERGY_SECONDS_MIN = 2;
const ENERGY_RATIO_GAP = 0.1;
/** Figures that are read from the energy counter. */
const BY_COUNTER = new Set(['energy_consumption_wh', 'power_consumption_watts']);

/**
 * What happened to the card while it was measured, as far as a figure depends on it: uncorrected memory errors concern the memory
 * bandwidth, a counter that contradicts the power the energy and the mean power, drift the figure that drifted.
 */
function conditionFindings(
  figures: readonly JudgedFigure[],
  details: (metric: string) => Record<string, unknown>,
): Finding[] {
  const run = details('temperature_centigrade');
  const known = new Set(figures.map((figure) => figure.metric));
  const byCounter = figures.filter(({ metric, value }) => BY_COUNTER.has(metric) && value !== null);
  const all = [
    ...limitFindings(run['throttle']),
    ...errorFindings(run),
    ...byCounter.flatMap(({ metric }) => counterFindings(metric, details(metric))),
    ...figures.flatMap(({ metric, value }) => (value === null ? [] : driftFindings(metric, details(metric)['drift']))),
  ];
  return all.filter((finding) => known.has(finding.metric));
}

/** Reaching a limit is normal under load. What slows a sick card down, and what the driver logs, is told by the health rules. */
function limitFindings(throttle: unknown): Finding[] {
  const bits = Array.isArray(throttle) ? throttle.filter((bit) => typeof bit === 'string') : [];
  if (!bits.some((bit) => LIMITS.has(bit))) return [];
  const reason = bits.includes('sw_power_cap')
    ? 'at its power cap, which is normal under load'
    : 'at its limit of electric current, which is normal under load';
  return [{ metric: 'power_consumption_watts', verdict: 'ok', rule: 'throttle', reason }];
}

/** The bandwidth of a memory that answered wrongly says nothing. */
function errorFindings(run: Record<string, unknown>): Finding[] {
  const uncorrected = run['ecc_uncorrected_during_run'];
  if (typeof uncorrected !== 'number' || uncorrected <= 0) return [];
  const reason = `${uncorrected} uncorrected memory ${uncorrected === 1 ? 'error' : 'errors'} during the run`;
  return [{ metric: 'memory_bandwidth_gbs', verdict: 'bad', rule: 'ecc', reason }];
}

/** A remark only: the figure is what was measured, but it would have differed earlier or later. */
function driftFindings(metric: string, drift: unknown): Finding[] {
  if (drift === null || typeof drift !== 'object') return [];
  const { first_quarter_tflops: first, last_quarter_tflops: last } = drift as Record<string, unknown>;
  if (typeof first !== 'number' || typeof last !== 'number' || first <= 0) return [];
  const share = last / first - 1;
  if (!(Math.abs(share) > SETTLED_SHARE)) return [];
  const printed = (value: number): string => String(Number(value.toPrecision(4)));
  const reason = `not settled: ${printed(first)} TFLOP/s in the first quarter of the series, ${printed(last)} in the last (${share > 0 ? '+' : ''}${(share * 100).toFixed(1)} %)`;
  return [{ metric, verdict: 'ok', rule: 'settled', reason }];
}

function counterFindings(metric: string, told: Record<string, unknown>): Finding[] {
  // Earlier runners called it `trusted` and published the integral instead.
  if ((told['counter_agrees'] ?? told['trusted']) !== false) return [];
  const seconds = told['seconds'] ?? told['load_seconds'];
  if (typeof seconds === 'number' && seconds < ENERGY_SECONDS_MIN) return [];
  const found = told['ratio'] ?? told['counter_ratio'];
  if (typeof found === 'number' && Math.abs(found - 1) <= ENERGY_RATIO_GAP) return [];
  const ratio = typeof found === 'number' ? ` (ratio ${found.toFixed(2)})` : '';
  const source = typeof told['source'] === 'string' ? `; this figure is from ${told['source']}` : '';
  const reason = `the energy counter contradicts the power over time${ratio}${source}`;
  return [{ metric, verdict: 'warn', rule: 'energy counter', reason }];
}
