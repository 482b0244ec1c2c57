import { benchmarks, plan } from '../kernels/registry.ts';
import type { Tier } from '../run/run-options.ts';

/** The fields of a device that the plan needs. */
interface PlannedDevice {
  device_id: string;
  backend: string;
}

export interface NodePlan {
  /** Shortens every benchmark's measuring time (`--time-scale`); 1 = the tier's own. */
  alone: { time_scale: number; seconds: number };
  /** Null with fewer than two GPUs. */
  together: { time_scale: number; seconds: number } | null;
  /** One per backend with at least two GPUs: there are no copies between backends. */
  matrices: { backend: string; device_ids: string[]; cells: number; time_scale: number; seconds: number }[];
}

/** Maximum seconds of each part for the whole node. The quick tier leaves 4 s of its 60 for listing and inventory. */
const MOST: Record<Tier, Pick<TierCosts, 'aloneMax' | 'togetherMax' | 'matrixMax'>> = {
  quick: { aloneMax: 36, togetherMax: 10, matrixMax: 10 },
  standard: { aloneMax: 660, togetherMax: 110, matrixMax: 100 },
  // A soak takes hours: nothing is shortened.
  soak: {
    aloneMax: Number.POSITIVE_INFINITY,
    togetherMax: Number.POSITIVE_INFINITY,
    matrixMax: Number.POSITIVE_INFINITY,
  },
};
/**
 * Costs that do not scale: a process start, a context, the first touch of the arrays. Pinning is per device when
 * several start at once, since a driver lock serialises it; verifying copies is per pair.
 */
const FIXED_SECONDS = 1;
const PINNING_SECONDS = 0.25;
const CHECKING_SECONDS = 0.02;
/** Duration of a tier for the whole node, which `max_seconds` overrides. A soak is not shortened. */
const TIER_SECONDS = { quick: 60, standard: 900, soak: Number.POSITIVE_INFINITY } as const;
/** The runner's minimum: below it a benchmark has too few samples. */
const TIME_SCALE_MIN = 0.02;

/** Seconds at time scale 1 by the runner's registry, and the maximum for the whole node. */
interface TierCosts {
  alone: number;
  together: number;
  matrix: number;
  aloneMax: number;
  togetherMax: number;
  matrixMax: number;
}

/**
 * How long each part of a node's QuickMark measures. Quick: alone <= 36 s over all devices, together <= 10 s, all
 * matrices <= 10 s for up to 16 GPUs; beyond that the runner's shortest times apply, so the run takes longer. A single GPU
 * gets the time of all three parts.
 * @param maxSeconds limit for the whole node instead of the tier's 60 or 900; the runner's shortest times are a lower bound
 */
export function planNode(tier: Tier, devices: readonly PlannedDevice[], maxSeconds: number | null = null): NodePlan {
  const costs = costsWithin(costsOf(tier), maxSeconds === null ? 1 : maxSeconds / TIER_SECONDS[tier]);
  const count = Math.max(1, devices.length);
  const gpus = devices.filter((device) => device.backend !== 'cpu');
  const aloneMax = costs.aloneMax + (gpus.length < 2 ? costs.togetherMax + costs.matrixMax : 0);
  const alone = scaled(costs.alone, FIXED_SECONDS, aloneMax / count);
  return {
    alone: { time_scale: alone.time_scale, seconds: alone.seconds * count },
    together:
      gpus.length < 2 ? null : scaled(costs.together, FIXED_SECONDS + PINNING_SECONDS * gpus.length, costs.togetherMax),
    matrices: planMatrices(gpus, costs),
  };
}

function costsOf(tier: Tier): TierCosts {
  const sum = (some: typeof benchmarks): number => some.reduce((total, { seconds }) => total + seconds[tier], 0);
  return {
    alone: sum(benchmarks),
    together: sum(benchmarks.filter(({ together }) => together)) + plan.warm_up_seconds[tier],
    matrix: plan.matrix_seconds[tier],
    ...MOST[tier],
  };
}

/** Shortens the parts in proportion; never lengthens them. */
function costsWithin(costs: TierCosts, share: number): TierCosts {
  if (share >= 1) return costs;
  const { aloneMax, togetherMax, matrixMax } = costs;
  return { ...costs, aloneMax: aloneMax * share, togetherMax: togetherMax * share, matrixMax: matrixMax * share };
}

function planMatrices(gpus: readonly PlannedDevice[], costs: TierCosts): NodePlan['matrices'] {
  const groups = [...Map.groupBy(gpus, (device) => device.backend)].filter(([, group]) => group.length >= 2);
  const cellsOf = (group: readonly PlannedDevice[]): number => group.length * (group.length - 1);
  const allCells = groups.reduce((sum, [, group]) => sum + cellsOf(group), 0);
  return groups.map(([backend, group]) => {
    const cells = cellsOf(group);
    const time = scaled(costs.matrix, FIXED_SECONDS + CHECKING_SECONDS * cells, (costs.matrixMax * cells) / allCells);
    return { backend, device_ids: group.map((device) => device.device_id), cells, ...time };
  });
}

/** The scale at which `fixed + full x scale` fits `budget`, rounded down so that it still does. */
function scaled(full: number, fixed: number, budget: number): { time_scale: number; seconds: number } {
  const fitting = Math.floor(((budget - fixed) / full) * 1000) / 1000;
  const time_scale = Math.min(1, Math.max(TIME_SCALE_MIN, fitting));
  return { time_scale, seconds: fixed + full * time_scale };
}
