import { z } from 'zod';
import type { EngineChoice } from '../../contract/matrix-engine.ts';
import type { BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import type { RuledVerdict, TogetherFigure } from '../../contract/figure-verdict.ts';
import type { HealthFinding } from '../../contract/health.ts';
import type { Grade } from '../../contract/judgement.ts';
import {
  additiveMetrics,
  figureStats,
  quickMarkMetrics,
  quickMarkResults,
  type QuickMarkResults,
  type QuickMarkMetric,
  type QuickMarkTestResult,
} from '../../contract/quick-mark.ts';
import { deviceNames } from '../../figures/device-name.ts';
import { detailFigures } from '../../figures/detail-figures.ts';
import { figureGrade } from '../../figures/findings/figure-grade.ts';
import { healthRules } from '../../figures/health-rules.ts';
import { judgeStored } from '../../figures/judge-results.ts';
import { healthOfStored } from '../../figures/node-health.ts';
import { factsOf } from '../../figures/signal-facts.ts';
import { placedFindings } from '../../figures/tell-health.ts';
import type { ReportNode, ReportResult } from '../report-model.ts';
import { infoOf, type MetricInfo } from './metrics.ts';

type Stats = z.infer<typeof figureStats>;

/** One figure of one device with everything known about it. */
export interface Figure {
  metric: string;
  info: MetricInfo;
  value: number | null;
  /** why it is null */
  reason: string | null;
  stats: Stats | null;
  verified: boolean | null;
  /** the rest of `details`: engine, shape, method */
  how: Record<string, unknown>;
}

const runRecord = z.object({
  /** whether something else was using the device */
  contended: z.boolean(),
  /** time the work took over the time it takes undisturbed */
  contention_ratio: z.number().nullable(),
});
type Run = z.infer<typeof runRecord>;

export interface Device {
  /** by `deviceNames` */
  name: string;
  id: string;
  model: string;
  vendor: QuickMarkTestResult['vendor'];
  engine: QuickMarkTestResult['engine'];
  simulated: boolean;
  /** the metrics of the API, in its order */
  figures: Figure[];
  /** additive metrics that were measured, then figures found only in `details`: probes, clock, latencies */
  extra: Figure[];
  /** what the runner recorded at the end of the device's run; null if it did not get that far */
  run: Run | null;
  /** metric -> verdict of the agent's checks, with the rule; null if the agent sent none */
  verdicts: Record<string, RuledVerdict> | null;
  /** metric -> the figure while all devices of the node worked at once */
  together: Record<string, TogetherFigure>;
}

export interface Measurement {
  result: ReportResult;
  devices: Device[];
  /** the requested engine; null if the agent did not report it */
  engineChoice: EngineChoice | null;
  /** the agent's notes on the node's sums */
  notes: string[];
  /** copies between devices; empty with fewer than two GPUs */
  matrix: BandwidthCell[];
  /** what the health rules found, worst first, with the name of the device or `machine` */
  health: { place: string; finding: HealthFinding }[];
  /** of each device, whether any of the signals that the rules judge was read */
  healthRead: boolean[];
  /** signals that no rule could judge, by reason, with the devices that lack them */
  healthNotRead: { places: string; because: string; signals: readonly string[] }[];
}

/** The node's newest QuickMark in a form that can be printed; null if there is none or it cannot be read. */
export function readMeasurement(node: ReportNode): Measurement | null {
  const result = node.results.find((one) => one.benchmarkId === 'quick_mark' && one.results !== null);
  if (!result) return null;
  let known = measurements.get(result);
  if (known === undefined) measurements.set(result, (known = measurementIn(result)));
  return known;
}

/** A report reads each result five times, and reading is most of the work for a large job. */
const measurements = new WeakMap<ReportResult, Measurement | null>();

function measurementIn(result: ReportResult): Measurement | null {
  const parsed = quickMarkResults.safeParse(result.results);
  if (!parsed.success) return null;
  // Uploads are judged on arrival; those of earlier versions were not.
  const isJudged = parsed.data.test_results.every(({ verdicts }) => verdicts !== undefined);
  const judged = isJudged ? healthOfStored(parsed.data) : judgeStored(parsed.data);
  const names = deviceNames(judged.test_results);
  const devices = judged.test_results.map((one, at) => readDevice(one, names[at] ?? ''));
  return {
    result,
    devices,
    ...healthIn(judged, devices),
    engineChoice: judged.engine_choice ?? null,
    notes: judged.aggregate_results.notes ?? [],
    matrix: judged.aggregate_results.gpu_bandwidth_matrix ?? [],
  };
}

function healthIn(
  results: QuickMarkResults,
  devices: readonly Device[],
): Pick<Measurement, 'health' | 'healthRead' | 'healthNotRead'> {
  const unread = [
    ...results.test_results.flatMap(({ health_not_read: list = [] }, at) =>
      list.map((one) => ({ place: devices[at]?.name ?? 'device', ...one })),
    ),
    ...(results.node_health_not_read ?? []).map((one) => ({ place: 'machine', ...one })),
  ];
  const alike = Map.groupBy(unread, ({ because, signals }) => `${because} ${signals.join()}`);
  return {
    health: placedFindings(results),
    healthRead: results.test_results.map(({ vendor, health, health_not_read: list = [] }) => {
      const missing = new Set(list.flatMap(({ signals }) => signals));
      return health !== undefined && signalsOf(vendor).some((signal) => !missing.has(signal));
    }),
    healthNotRead: [...alike.values()].flatMap((group) =>
      group
        .slice(0, 1)
        .map(({ because, signals }) => ({ places: group.map(({ place }) => place).join(', '), because, signals })),
    ),
  };
}

/** What the rules judge of a device of this maker. */
const signalsOf = (maker: string): string[] =>
  healthRules.flatMap(({ scope, vendor = maker, signal }) => (scope === 'device' && vendor === maker ? [signal] : []));

/** The device's figure for a metric, if it has one. */
export const figureOf = (device: Device, metric: QuickMarkMetric): Figure | undefined =>
  device.figures.find((figure) => figure.metric === metric);

/** The grade of one figure, the same as in the judgement; of a metric without a rule nobody knows. */
export function gradeOfFigure({ verdicts, vendor, figures, extra }: Device, metric: string): Grade {
  const ruled = verdicts?.[metric];
  if (ruled === undefined) return 'not_measured';
  const figure = [...figures, ...extra].find((one) => one.metric === metric);
  return figureGrade(ruled, vendor, factsOf(figure?.how)['absence'] === 'failed');
}

const figureDetails = z.looseObject({
  stats: figureStats.nullable().optional().catch(null),
  verified: z.boolean().nullable().optional().catch(null),
});

function readDevice(one: QuickMarkTestResult, name: string): Device {
  const detailsOf = (metric: string) => figureDetails.safeParse(one.details[metric]).data ?? {};
  const figure = (metric: string, value: number | null): Figure => {
    const { stats, verified, ...how } = detailsOf(metric);
    return {
      metric,
      info: infoOf(metric),
      value,
      reason: value === null ? (one.unavailable[metric] ?? 'the agent gave no reason') : null,
      stats: stats ?? null,
      verified: verified ?? null,
      how,
    };
  };
  const additive = additiveMetrics.flatMap((metric) => (one[metric] == null ? [] : [figure(metric, one[metric])]));
  return {
    name,
    id: one.gpu_id,
    model: one.gpu_model,
    vendor: one.vendor,
    engine: one.engine,
    simulated: one.simulated,
    figures: quickMarkMetrics.map((metric) => figure(metric, one[metric])),
    run: runRecord.safeParse(one.details['run']).data ?? null,
    verdicts: one.verdicts ?? null,
    together: one.together ?? {},
    extra: [...additive, ...detailFigures(one).map(({ metric, value }) => figure(metric, value))],
  };
}
