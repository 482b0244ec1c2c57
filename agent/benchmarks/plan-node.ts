import { hasLoadClass } from '../../coordinator/contract/load-class.ts';
import { tierSeconds } from '../../coordinator/contract/tier-seconds.ts';
import { benchmarks, plan } from '../kernels/registry.ts';
import type { Tier } from '../run/run-options.ts';

/** The fields of a device that the plan needs. */
interface PlannedDevice {
  device_id: string;
  backend: string;
}

/** How long a part measures. `time_scale` shortens every benchmark (`--time-scale`); 1 = the tier's own time. */
interface Part {
  time_scale: number;
  seconds: number;
}

export interface NodePlan {
  /** Each device in a run of its own: of one GPU, of processors, and of GPUs that cannot be measured all at once. */
  alone: Part;
  /** All GPUs at once: the headline figures. Null with fewer than two GPUs. */
  together: (Part & { benchmarks: string[] }) | null;
  /** After them, in a soak: how often all GPUs begin and end a load together, with a pause between. */
  swings: number;
  /** Then the shorter measurements, all at once (`briefly`), and what each GPU reaches alone, in turns. */
  turns: (Part & { briefly: string[]; benchmarks: string[]; tier: Tier }) | null;
  /** One per backend with at least two GPUs: there are no copies between backends. */
  matrices: (Part & { backend: string; device_ids: string[]; cells: number })[];
}

/** Duration of a tier for the whole node, which `max_seconds` overrides. A soak is not shortened. */
const TIER_SECONDS = { ...tierSeconds, soak: Number.POSITIVE_INFINITY } as const;
/** Of these, for listing the devices and the inventory, and for what a run does before and after it measures. */
const OTHER_SECONDS = { quick: 4, standard: 10, soak: 0 } as const;
/**
 * Finding, trying and verifying the matrix products, and 0.25 s of rest before the burst of each, beside their planned time. In
 * the quick tier the seven products of an H100 and an H200 took 5.5 to 8.4 s without those rests (native/results; the longer
 * with a second series of fp64). Cards with fewer than the ten products that are planned for leave 3.5 s of each, which is
 * more; what ten take has not been measured. The shortest times of more than eight GPUs use it up.
 */
const PREPARING_SECONDS = { quick: 6.5, standard: 10, soak: 0 } as const;
/**
 * Costs that do not scale: a process start, a context, the first touch of the arrays. Pinning host memory is per device, since a
 * driver lock serialises it; verifying copies is per pair.
 */
const FIXED_SECONDS = 1;
const PINNING_SECONDS = 0.15;
const CHECKING_SECONDS = 0.02;
/** The runner's minimum: below it a benchmark has too few samples. */
const TIME_SCALE_MIN = 0.02;

/** What a GPU reaches alone is a sample: its shares of a product's time are enough for a sustained load. */
const TURNS_TIER: Tier = 'quick';
/**
 * In the quick tier, measured after the headline figures and for less than their time: probes, latencies and checks, which
 * other cards at work do not change. The copies with the host are measured alone as well, and that is their headline.
 *
 * The minute of eight GPUs: 4 s for the list and the inventory, 1 s of start, 1.5 s of warm-up, ten products of 3.5 s (each
 * with 1.6 s before the 1.2 s that count, so sustained), 5 s of memory, cache, launches and multiply-adds, 6.5 s for preparing
 * the products, 7 s for the rest at the runner's shortest times. Multiply-add and issue peaks are brief there: the eight of them
 * would need 22.4 s to be sustained, and have 2.5. As much as one product of each GPU alone would need, so its gap, and that of
 * the multiply-adds, are for the longer tiers.
 */
const BRIEF = new Set(['clock', 'matrix_issue', 'latency', 'copy', 'link', 'repeat', 'march']);
/** What is not measured in full is brief, and a brief load is compared with nothing. */
const isLoad = ({ metrics }: { metrics: readonly string[] }): boolean => metrics.some(hasLoadClass);

/** Swings of a soak, each a load and a pause of about 2 s: four minutes. */
const SWINGS = 60;
const SWING_SECONDS = 4;

const LASTING = benchmarks.filter(({ spans }) => !spans);
const IN_TURNS = LASTING.filter(({ turn_seconds }) => turn_seconds > 0);
const secondsOf = (some: readonly { seconds: Readonly<Record<Tier, number>> }[], tier: Tier): number =>
  some.reduce((total, { seconds }) => total + seconds[tier], 0);

/**
 * How long each part of a node's QuickMark measures. Several GPUs are measured all at once for the full time of one; each
 * alone, and the copies between them, share what is left of the tier, or take the runner's shortest times.
 * @param maxSeconds limit for the whole node instead of the tier's 60 or 900; the runner's shortest times are a lower bound
 */
export function planNode(tier: Tier, devices: readonly PlannedDevice[], maxSeconds: number | null = null): NodePlan {
  const gpus = devices.filter((device) => device.backend !== 'cpu');
  const share = maxSeconds === null || tier === 'soak' ? 1 : Math.min(1, maxSeconds / TIER_SECONDS[tier]);
  const node = (TIER_SECONDS[tier] - OTHER_SECONDS[tier]) * share;
  const alone = planAlone(tier, devices.length, node - PREPARING_SECONDS[tier] * share);
  if (gpus.length < 2) return { alone, together: null, swings: 0, turns: null, matrices: [] };
  const together = planTogether(tier, gpus.length, share);
  const left = node - PREPARING_SECONDS[tier] * share - together.seconds;
  return { alone, together, swings: tier === 'soak' ? SWINGS : 0, ...planRest(tier, gpus, left) };
}

function planAlone(tier: Tier, count: number, node: number): Part {
  const devices = Math.max(1, count);
  const full = secondsOf(LASTING, tier) + plan.warm_up_seconds[tier];
  const each = scaled(full, FIXED_SECONDS, node / devices);
  return { ...each, seconds: each.seconds * devices };
}

function planTogether(tier: Tier, count: number, share: number): NonNullable<NodePlan['together']> {
  const chosen = tier === 'quick' ? LASTING.filter(({ id }) => !BRIEF.has(id)) : LASTING;
  const pinning = chosen.some(({ id }) => id === 'link') ? PINNING_SECONDS * count : 0;
  const fixed = FIXED_SECONDS + pinning + (tier === 'soak' ? SWINGS * SWING_SECONDS : 0);
  const full = secondsOf(chosen, tier) + plan.warm_up_seconds[tier];
  return { benchmarks: chosen.map(({ id }) => id), ...scaled(full, fixed, (full + fixed) * share) };
}

type Rest = Pick<NodePlan, 'turns' | 'matrices'>;

/** One scale for all of it. Without products and multiply-adds, if those do not fit in full. */
function planRest(tier: Tier, gpus: readonly PlannedDevice[], left: number): Rest {
  const whole = restAt(tier, gpus, IN_TURNS, left);
  if (whole.turns?.time_scale === 1) return whole;
  return restAt(
    tier,
    gpus,
    IN_TURNS.filter((one) => !isLoad(one)),
    left,
  );
}

function restAt(tier: Tier, gpus: readonly PlannedDevice[], inTurns: typeof LASTING, left: number): Rest {
  const briefly = tier === 'quick' ? LASTING.filter(({ id }) => BRIEF.has(id)) : [];
  const pinnings = (briefly.some(({ id }) => id === 'link') ? 2 : 1) * gpus.length;
  const fixed = FIXED_SECONDS + PINNING_SECONDS * pinnings;
  const turn = inTurns.reduce((total, { turn_seconds }) => total + turn_seconds, 0);
  const full = plan.warm_up_seconds[TURNS_TIER] + secondsOf(briefly, tier) + turn * gpus.length;
  const groups = [...Map.groupBy(gpus, (device) => device.backend)].filter(([, group]) => group.length >= 2);
  const cellsOf = (group: readonly PlannedDevice[]): number => group.length * (group.length - 1);
  const allCells = groups.reduce((sum, [, group]) => sum + cellsOf(group), 0);
  const copying = allCells === 0 ? 0 : plan.matrix_seconds[tier];
  const checking = FIXED_SECONDS * groups.length + CHECKING_SECONDS * allCells;
  const { time_scale } = scaled(full + copying, fixed + checking, left);
  return {
    turns: {
      briefly: briefly.map(({ id }) => id),
      benchmarks: inTurns.map(({ id }) => id),
      tier: TURNS_TIER,
      time_scale,
      seconds: fixed + full * time_scale,
    },
    matrices: groups.map(([backend, group]) => {
      const cells = cellsOf(group);
      const seconds = FIXED_SECONDS + CHECKING_SECONDS * cells + (copying * time_scale * cells) / allCells;
      return { backend, device_ids: group.map((device) => device.device_id), cells, time_scale, seconds };
    }),
  };
}

/** The scale at which `fixed + full x scale` fits `budget`, rounded down so that it still does. */
function scaled(full: number, fixed: number, budget: number): Part {
  const fitting = Math.floor(((budget - fixed) / full) * 1000 + 1e-6) / 1000;
  const time_scale = Math.min(1, Math.max(TIME_SCALE_MIN, fitting));
  return { time_scale, seconds: fixed + full * time_scale };
}
