import type { BandwidthCell } from '../../coordinator/contract/bandwidth-matrix.ts';
import type { HealthFinding, NodeSignal, NotReadSignals } from '../../coordinator/contract/health.ts';
import type { QuickMarkResults, QuickMarkTestResult } from '../../coordinator/contract/quick-mark.ts';
import { inDeviceNames } from '../../coordinator/figures/device-name.ts';
import { withHealth } from '../../coordinator/figures/node-health.ts';
import { criticalHealth } from '../../coordinator/figures/tell-health.ts';
import { aggregate, assembleQuickMark } from '../kernels/assemble-quick-mark.ts';
import { type DeviceEvent, type RunnerEvent, detailsOf } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';
import type { DeviceSummary, MetricSummary } from '../run/run-summary.ts';
import type { Baseline } from './baseline.ts';
import type { CollectedRun, RunnerSetting } from './collect-run.ts';
import { judgeNode } from './judge-node.ts';
import { measureAlone, type AloneRun } from './measure-alone.ts';
import type { Resumption } from './measure-in-pieces.ts';
import { measureGpus, type GpusRun } from './measure-gpus.ts';
import { planNode } from './plan-node.ts';
import { ofDevice } from './show-runner-event.ts';
import { tellContention, tellTelemetryProblems, tellUnknownModels } from './tell-conditions.ts';
import { figureOf } from '../kernels/figure-of.ts';
import { metricRank } from '../kernels/registry.ts';
import type { Figure } from './judge-figures.ts';
import { cpuQuota } from '../../coordinator/figures/judge-figure.ts';
import { cutWords } from '../../coordinator/figures/cut-words.ts';

interface QuickMarkInput extends RunnerSetting {
  devices: DeviceEvent[];
  emit: Emit;
  /** 0 to 1 over the whole node. */
  onProgress: (share: number) => void;
  /** An earlier run to compare with. */
  baseline?: Baseline | null;
  /** For a soak, which is measured piece by piece and can be resumed. */
  resumption?: Resumption | null;
  /** Reads what the machine says of its health, once all is measured. */
  readSignals?: () => Promise<NodeSignal[]>;
}

export interface QuickMarkOutcome {
  /** Null if no device has a figure and the machine was not read: what it says of its health is worth more then, not less. */
  results: QuickMarkResults | null;
  devices: DeviceSummary[];
  matrix: BandwidthCell[] | null;
  /** Of the run itself; problems of figures, copies, engines and health are found in the results (`nodeJudgement`). */
  warnings: string[];
  /** Why the run has failed, one sentence per cause: the runner broke, or a result was wrong. */
  failures: string[];
  /** Why nothing could be measured, if every device was busy or lost and the runner did not break. */
  unusable: string | null;
  /** Of the machine beside its devices, by the health rules. */
  node_health: HealthFinding[];
  node_health_not_read: NotReadSignals[];
  /** The gravest critical finding as a sentence; null if there is none. */
  critical: string | null;
  /** What to do; null if the runner gave none, or if other programs hold the devices. */
  remedy: string | null;
}

/**
 * QuickMark of a node: all GPUs at once, which gives the headline figures, then each alone in turn, then the copies between
 * them; a single device alone. A failed device is left out of the later parts, but stays in the results with its reasons:
 * otherwise the node would look complete, only slower.
 */
export async function runQuickMark(input: QuickMarkInput): Promise<QuickMarkOutcome> {
  const { devices, emit, onProgress, signal } = input;
  const plan = planNode(input.tier, devices, input.max_seconds);
  tellTelemetryProblems(devices, emit);
  tellUnknownModels(devices, emit);
  const resumption = input.resumption ?? null;
  const gpus =
    plan.together === null
      ? only(await measureAlone(input, devices, plan.alone.time_scale, resumption, emit, onProgress))
      : await measureGpus(input, devices, plan, resumption, onProgress);
  const { runs: alone } = gpus;
  const signals = (await input.readSignals?.()) ?? null;
  const summaries = summarise(gpus, input.baseline ?? null);
  const outcome = emptyOutcome(summaries, gpus);
  const broken = alone.flatMap(({ run }) => run.remedy ?? []);
  const errors = alone.flatMap(({ run }) => run.errors).filter((error) => error.code !== 'device_busy');
  const remedies = new Set(broken.length > 0 ? broken : errors.map((error) => error.remedy));
  outcome.remedy = [...remedies].join(' ').trim() || null;
  const troubles = new Map<string, string>();
  for (const { device, run } of alone) {
    if (run.state === 'ok') continue;
    const trouble = ofDevice(device.device_id, run.words ?? 'it failed');
    troubles.set(device.device_id, trouble);
    if (run.state === 'broken') outcome.failures.push(trouble);
    if (!isToldByFigures(run)) outcome.warnings.push(trouble);
  }
  // A stopped run lacks figures because it was stopped, not because of the device.
  if (!signal.aborted) {
    for (const { device, run } of alone) outcome.warnings.push(...tellContention(device, run.events, emit));
    outcome.warnings.push(...gpus.warnings);
    outcome.failures.push(...gpus.failures);
  }
  const hasFigure = summaries.some((device) => device.metrics.some((metric) => metric.value !== null));
  if (hasFigure || (signals !== null && !signal.aborted))
    outcome.results = {
      ...resultsOf(input, alone, summaries, gpus),
      ...(signals === null ? {} : { node_signals: signals }),
    };
  if (!hasFigure && outcome.failures.length === 0 && !signal.aborted)
    outcome.unusable = [...troubles.values()].join('; ') || 'no device gave a figure';
  if (!signal.aborted) input.resumption?.journal.remove();
  if (outcome.results !== null) addHealth(outcome, withHealth(outcome.results));
  const named = (text: string): string => inDeviceNames(text, devices);
  return {
    ...outcome,
    warnings: outcome.warnings.map(named),
    failures: outcome.failures.map(named),
    unusable: outcome.unusable === null ? null : named(outcome.unusable),
  };
}

/** A wrong result is a finding of its figure, with the same words. */
function isToldByFigures({ errors, events, remedy }: CollectedRun): boolean {
  const wrong = events.filter((event) => event.event === 'result' && event.verified === false);
  const isOnlyWrong = errors.every(({ code }) => code === 'verification_failed');
  return remedy === null && isOnlyWrong && errors.length > 0 && errors.length <= wrong.length;
}

/** What the health rules found: in the results, and beside the figures of each device. */
function addHealth(outcome: QuickMarkOutcome, judged: QuickMarkResults): void {
  outcome.results = judged;
  outcome.node_health = judged.node_health ?? [];
  outcome.node_health_not_read = judged.node_health_not_read ?? [];
  outcome.critical = criticalHealth(judged);
  outcome.devices = outcome.devices.map((device) => {
    const entry = judged.test_results.find(({ gpu_id }) => gpu_id === device.device_id);
    return { ...device, health: entry?.health ?? [], health_not_read: entry?.health_not_read ?? [] };
  });
}

/** Devices that were not measured all at once. */
const only = (runs: AloneRun[]): GpusRun => ({ runs, together: new Map(), cells: null, warnings: [], failures: [] });

const emptyOutcome = (summaries: DeviceSummary[], gpus: GpusRun): QuickMarkOutcome => ({
  results: null,
  devices: summaries,
  matrix: gpus.cells,
  warnings: [],
  failures: [],
  unusable: null,
  node_health: [],
  node_health_not_read: [],
  critical: null,
  remedy: null,
});

/** Devices that the run did not reach are not in the summary. */
function summarise(gpus: GpusRun, baseline: Baseline | null): DeviceSummary[] {
  const measured = gpus.runs
    .filter((one) => one.reached)
    .map(({ device, run }) => ({
      device,
      events: run.events,
      figures: figuresOf(run.events, device),
      together: gpus.together.get(device.device_id) ?? {},
    }));
  return judgeNode(measured, baseline).map((summary) => ({
    ...summary,
    together: Object.entries(gpus.together.get(summary.device_id) ?? {}).map(([metric, figure]) => ({
      metric,
      ...figure,
    })),
  }));
}

function resultsOf(
  { engine, tier, resumption, signal }: QuickMarkInput,
  alone: readonly AloneRun[],
  summaries: readonly DeviceSummary[],
  gpus: GpusRun,
): QuickMarkResults {
  const measured = alone.map((one) => one.device);
  const entries = alone.map(({ device, run, reached }) => {
    const summary = summaries.find((one) => one.device_id === device.device_id);
    const words = run.words === null ? null : inDeviceNames(run.words, measured);
    const because = words ?? (signal.aborted ? 'the run was stopped before this was measured' : null);
    return entryOf(device, reached ? run.events : null, because, summary, gpus);
  });
  const matrix = gpus.cells === null ? {} : { gpu_bandwidth_matrix: gpus.cells };
  return {
    test_results: entries,
    aggregate_results: { ...aggregate(entries), ...matrix },
    tier,
    engine_choice: engine,
    ...(resumption ? { resumed: resumption.journal.resumed } : {}),
  };
}

function entryOf(
  device: DeviceEvent,
  events: readonly RunnerEvent[] | null,
  words: string | null,
  summary: DeviceSummary | undefined,
  gpus: GpusRun,
): QuickMarkTestResult {
  if (events === null)
    return assembleQuickMark([device], device.device_id, 'the run was stopped before this device was measured');
  const together = gpus.together.get(device.device_id);
  const verdicts = (summary?.metrics ?? []).map(
    (metric) => [metric.metric, { verdict: metric.verdict, rule: cutWords(ruleWords(metric), 400) }] as const,
  );
  return {
    ...assembleQuickMark([device, ...events], device.device_id, words ?? undefined),
    verdicts: Object.fromEntries(verdicts),
    ...(together === undefined
      ? {}
      : { together: Object.fromEntries(Object.entries(together).map(([metric, figure]) => [metric, { ...figure }])) }),
  };
}

/** The rule that tripped, with its finding; or the rules that passed. */
function ruleWords({ rule, reason, judged_by }: MetricSummary): string {
  if (rule !== null) return reason?.startsWith(rule) === true ? reason : `${rule}: ${reason ?? 'tripped'}`;
  const passed = `passed: ${judged_by.join(', ')}`;
  return reason === null ? passed : `${passed} (${reason})`;
}

/** The last result of each metric of one device, in the summary's order. */
export function figuresOf(events: readonly RunnerEvent[], device: DeviceEvent): Figure[] {
  const figures = new Map<string, Figure>();
  for (const event of events) {
    if (event.event !== 'result' || event.device_id !== device.device_id) continue;
    const { metric, value } = event;
    const { core_share = null, absence = null } = detailsOf(event);
    const cpu_quota = device.vendor === 'cpu' ? cpuQuota(device.attributes) : null;
    figures.set(metric, {
      ...figureOf(device, event),
      core_share,
      cpu_quota,
      absence: value === null ? absence : null,
    });
  }
  return [...figures.values()].toSorted((a, b) => metricRank(a.metric) - metricRank(b.metric));
}
