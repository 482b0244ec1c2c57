import type { BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import { isGemmMetric, type Arithmetic, type MatrixEngine } from '../../contract/matrix-engine.ts';
import {
  deviceMetrics,
  type DeviceMetric,
  type QuickMarkResults,
  type QuickMarkTestResult,
} from '../../contract/quick-mark.ts';
import { isClass, type LoadMark } from '../../contract/load-class.ts';
import { jointLoad, loadBehind } from '../../figures/compare-loads.ts';
import { engineBehind } from '../../figures/aggregate-figures.ts';
import { modelKey } from '../../figures/gpu-peaks.ts';
import { mean } from '../../figures/statistics.ts';
import { nodeFigures, votingFigures } from './node-figures.ts';
import { judgeStored } from '../../figures/judge-results.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { selectNewestQuickMark } from '../queries/summary.ts';
import { selectUnread, setFigures } from './queries.ts';

/** Mean speed of the copies from one device to the others of its node over one kind of path. */
const COPIES = 'gpu_copies_gbs';

/** One figure of the devices of a node, and everything that another one must share with it to be compared. */
export interface PeerFigure {
  metric: DeviceMetric | typeof COPIES;
  /** behind a matrix product */
  engine: MatrixEngine | null;
  /** of `fp32_tflops`, which has several kinds */
  arithmetic: Arithmetic | null;
  /** of copies */
  path: string | null;
  /** the same for all figures that can be compared with each other, and only for those */
  key: string;
  /** of the devices that have it; `place` is the index among the devices given */
  values: { place: number; value: number; passed: boolean }[];
}

type Kind = Omit<PeerFigure, 'values'>;
/** The parts of a result that are compared. */
export interface ComparedResult extends Pick<QuickMarkResults, 'tier' | 'engine_choice'> {
  test_results: readonly QuickMarkTestResult[];
  copies: readonly BandwidthCell[];
}

/** Names of paths come from the agent, so their number is limited: those that most copies of the node take are kept. */
const MOST_PATHS = 4;

/** Metrics over the whole run, or over its longest product: runs of another kind have other values. */
const OF_THE_RUN: ReadonlySet<string> = new Set([
  'power_consumption_watts',
  'temperature_centigrade',
  'energy_consumption_wh',
] satisfies DeviceMetric[]);

/** The figures of the devices of the model that the node has most of. A figure of unknown kind is left out. */
export function peerFigures(
  results: ComparedResult,
): { model_key: string; devices: number; figures: PeerFigure[] } | null {
  const node = nodeFigures(results.test_results);
  if (node === null) return null;
  const devices = results.test_results.flatMap((device, place) =>
    modelKey(device.vendor, device.gpu_model) === node.model_key ? [{ device, place }] : [],
  );
  const loadOf = (metric: DeviceMetric): LoadMark | null =>
    jointLoad(devices.flatMap(({ device }) => (device[metric] == null ? [] : loadBehind(device, metric))));
  const loads = new Map(deviceMetrics.map((metric) => [metric, loadOf(metric)]));
  const own = devices.flatMap(({ device, place }) =>
    deviceMetrics.flatMap((metric) => {
      const value = device[metric] ?? null;
      const kind = value !== null && value > 0 ? kindOf(metric, device, results, loads.get(metric)) : null;
      const passed = device.verdicts?.[metric]?.verdict === 'ok';
      return kind === null || value === null ? [] : [{ ...kind, values: [{ place, value, passed }] }];
    }),
  );
  const figures = [...Map.groupBy([...own, ...copyFigures(devices, results.copies)], ({ key }) => key).values()];
  return {
    model_key: node.model_key,
    devices: devices.length,
    figures: figures.flatMap(([first, ...others]) =>
      first === undefined ? [] : [{ ...first, values: [first, ...others].flatMap(({ values }) => values) }],
    ),
  };
}

/**
 * What others are compared with: the mean of each figure over the devices of the node, if all of them have it by one engine,
 * in one arithmetic and under one load, and every one passed.
 */
export function figuresForPeers(judged: QuickMarkResults): Record<string, number> {
  const node = peerFigures({ ...judged, copies: judged.aggregate_results.gpu_bandwidth_matrix ?? [] });
  const whole = node?.figures.filter(
    ({ values }) => values.length === node.devices && values.every(({ passed }) => passed),
  );
  return Object.fromEntries((whole ?? []).map(({ key, values }) => [key, mean(values.map(({ value }) => value))]));
}

function kindOf(
  metric: DeviceMetric,
  device: QuickMarkTestResult,
  { tier, engine_choice }: ComparedResult,
  load: LoadMark | null | undefined,
): Kind | null {
  const kind = { metric, engine: null, arithmetic: null, path: null };
  if (OF_THE_RUN.has(metric)) {
    if (tier === undefined || engine_choice === undefined) return null;
    // Without bf16 the power is the mean over another product.
    if (metric === 'power_consumption_watts' && device.bf16_tflops === null) return null;
    return { ...kind, key: keyOf(metric, tier, engine_choice) };
  }
  if (!isGemmMetric(metric)) return { ...kind, key: metric };
  const engine = engineBehind(device, metric);
  if (engine === null || engine === 'mixed' || !isClass(load)) return null;
  if (metric !== 'fp32_tflops') return { ...kind, engine, key: keyOf(metric, engine, load) };
  const arithmetic = device.gemm?.[metric]?.arithmetic;
  return arithmetic === undefined
    ? null
    : { ...kind, engine, arithmetic, key: keyOf(metric, arithmetic, engine, load) };
}

const keyOf = (...parts: readonly string[]): string => parts.join('|');

function copyFigures(
  devices: readonly { device: QuickMarkTestResult; place: number }[],
  copies: readonly BandwidthCell[],
): PeerFigure[] {
  const ids = new Set(devices.map(({ device }) => device.gpu_id));
  const inside = copies.filter(({ source_gpu, target_gpu }) => ids.has(source_gpu) && ids.has(target_gpu));
  const paths = [...Map.groupBy(inside, ({ connection_type }) => connection_type)]
    .toSorted(([a, some], [b, others]) => others.length - some.length || (a < b ? -1 : 1))
    .slice(0, MOST_PATHS);
  return paths.flatMap(([path, cells]) =>
    devices.flatMap(({ device, place }): PeerFigure[] => {
      const out = cells.filter(({ source_gpu }) => source_gpu === device.gpu_id);
      const speeds = out.flatMap(({ simplex_gbs }) => (simplex_gbs === null || simplex_gbs <= 0 ? [] : [simplex_gbs]));
      if (speeds.length === 0) return [];
      const passed = speeds.length === out.length && out.every(({ verdict }) => verdict === 'ok');
      const kind = { metric: COPIES, engine: null, arithmetic: null, path, key: keyOf(COPIES, path) } as const;
      return [{ ...kind, values: [{ place, value: mean(speeds), passed }] }];
    }),
  );
}

/** A node of eight GPUs has about 280 KiB of JSON, which takes a few milliseconds to read. This allows 12,000 nodes an hour. */
const MOST_AT_A_TIME = 200;

/**
 * Called every minute: adds the other figures to scoreboard entries of earlier releases, which have the key figures only. An
 * entry whose result has no others, or cannot be read, stays with those. Returns how many entries it has handled.
 */
export async function readFigures({ sql, log }: Pick<Context, 'sql' | 'log'>): Promise<number> {
  const unread = await selectUnread(sql, MOST_AT_A_TIME);
  for (const { task_id } of unread) {
    try {
      await setFigures(sql, task_id, await figuresIn(sql, task_id));
    } catch (error) {
      log.warn({ err: error, task_id }, 'the figures of this task are not compared beyond those of its verdict');
      await setFigures(sql, task_id, {});
    }
  }
  return unread.length;
}

async function figuresIn(sql: Queryable, taskId: string): Promise<Record<string, number>> {
  const newest = await selectNewestQuickMark(sql, taskId);
  if (newest === undefined) return {};
  const judged = judgeStored(newest.results);
  return votingFigures(judged.test_results) === null ? {} : figuresForPeers(judged);
}
