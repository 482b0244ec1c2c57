import { cutWords } from '../../coordinator/figures/cut-words.ts';
import type { z } from 'zod';
import type { benchmarkItem, ResultsRequest } from '../../coordinator/contract/agent-protocol.ts';
import type { MachineInventory } from '../../coordinator/contract/inventory.ts';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import type { Resumption } from '../benchmarks/measure-in-pieces.ts';
import { ExitError } from '../run/exit-error.ts';
import { runQuickMark, type QuickMarkOutcome } from '../benchmarks/run-quick-mark.ts';
import { tellMachine } from '../health/tell-machine.ts';
import { watchNode } from '../health/watch-node.ts';
import { ENGINES, TIERS, type Tier } from '../run/run-options.ts';
import type { RunContext } from '../run/run-context.ts';
import type { PreparedMachine } from '../setup/prepare-machine.ts';
import type { RunRecord } from '../run/run-record.ts';
import { SoakJournal } from '../benchmarks/soak-journal.ts';
import { realDisk } from '../state/disk.ts';

type BenchmarkItem = z.infer<typeof benchmarkItem>;
export type MeasuredBenchmark = Omit<ResultsRequest, 'task_id' | 'epoch' | 'result_key'>;

/** An item of the job's sequence, with its index. */
type PlacedItem = BenchmarkItem & { place: number };

/**
 * cluster_network: measured by all nodes together, with the result computed by the coordinator. Null without a
 * coordinator.
 */
export type MeasureNetwork = ((item: PlacedItem, onProgress: (share: number) => void) => Promise<void>) | null;

/**
 * Runs the job's benchmarks in order. Each of the node's own benchmarks gets a result, even if it failed or this agent
 * cannot run it.
 */
export async function measureSequence(
  context: RunContext,
  machine: PreparedMachine,
  inventory: MachineInventory,
  sequence: BenchmarkItem[],
  onProgress: (share: number) => void,
  measureNetwork: MeasureNetwork,
): Promise<MeasuredBenchmark[]> {
  const results: MeasuredBenchmark[] = [];
  for (const [index, item] of sequence.entries()) {
    const share = (inner: number): void => onProgress((index + inner) / sequence.length);
    const placed = { ...item, place: index };
    if (item.benchmark_id === 'cluster_network' && measureNetwork !== null) {
      if (context.stop.by === null) await watchPorts(context, machine, () => measureNetwork(placed, share));
      continue;
    }
    const result =
      item.benchmark_id === 'quick_mark'
        ? await measureQuickMark(context, machine, inventory, placed, share)
        : skipped(context, machine, placed);
    results.push(result);
    const { benchmark_id, state, payload } = result;
    context.emit({ type: 'measurement', benchmark_id, state, results: payload?.benchmark_results ?? null });
  }
  return results;
}

/**
 * What the machine's ports, settings and kernel log say of a cluster_network, as warnings: its figures are the coordinator's, who
 * gets no result of this node to judge.
 */
async function watchPorts(
  context: RunContext,
  { files }: PreparedMachine,
  measure: () => Promise<void>,
): Promise<void> {
  const watch = await watchNode({ files, devices: [], clock: context.host.clock });
  await measure();
  tellMachine(context, await watch.end());
}

async function measureQuickMark(
  context: RunContext,
  machine: PreparedMachine,
  inventory: MachineInventory,
  item: PlacedItem,
  onProgress: (share: number) => void,
): Promise<MeasuredBenchmark> {
  const { emit, host, options, record, stop } = context;
  const started_at = new Date(host.clock.now()).toISOString();
  emit({
    type: 'step',
    step: 'measure',
    state: 'started',
    message: `measuring ${machine.devices.length === 1 ? 'one device' : `${machine.devices.length} devices`}`,
  });
  const tier = tierOf(item, options.tier);
  const engine = engineOf(item, options.engine);
  const resumption = tier === 'soak' ? resumeSoak(context, machine, inventory, item.place, engine) : null;
  const watch = await watchNode({ files: machine.files, devices: machine.devices, clock: host.clock });
  const outcome = await runQuickMark({
    runner_path: machine.runner_path,
    devices: machine.devices,
    tier,
    engine,
    max_seconds: tier === options.tier ? options.max_seconds : null,
    signal: stop.signal,
    emit,
    onProgress,
    onStart: (pid) => stop.children.add(pid),
    onRunnerEvent: watch.onEvent,
    readSignals: watch.end,
    baseline: machine.baseline,
    resumption,
  });
  stop.children.clear();
  noteOutcome(record, outcome, resumption);
  const failures = outcome.unusable === null ? outcome.failures : [outcome.unusable];
  const problems = stop.by === null ? failures : [stop.message ?? 'stopped', ...failures];
  const failed = problems.length > 0 || outcome.results === null;
  emit({
    type: 'step',
    step: 'measure',
    state: failed ? 'failed' : 'done',
    message: failed ? `not measured completely: ${problems.join('; ')}` : 'measured',
  });
  const error_message = failed ? cutWords(problems.join('; ') || 'nothing could be measured', 2000) : null;
  if (error_message !== null) record.failures.push(`${item.benchmark_id}: ${error_message}`);
  return {
    machine_uuid: machine.machine_uuid,
    benchmark_id: item.benchmark_id,
    item: item.place,
    attempt: 1,
    state: failed ? 'failed' : 'completed',
    started_at,
    ended_at: new Date(host.clock.now()).toISOString(),
    error_message,
    warnings: bounded([...machine.warnings, ...outcome.warnings]),
    payload: outcome.results === null ? null : { ...inventory, benchmark_results: { quick_mark: outcome.results } },
  };
}

const HEALTH_REMEDY = 'Its figures are kept. The rule and its source: gpumark-agent help health.';

/** A job may contain QuickMark more than once: the last matrix is shown, all warnings count. */
function noteOutcome(record: RunRecord, outcome: QuickMarkOutcome, resumption: Resumption | null): void {
  record.devices.push(...outcome.devices);
  if (outcome.results !== null) record.judged.push(outcome.results);
  record.warnings.push(...outcome.warnings);
  record.matrix = outcome.matrix ?? record.matrix;
  record.node_health = outcome.node_health;
  record.node_health_not_read = outcome.node_health_not_read;
  if (outcome.critical !== null) record.health_failure ??= new ExitError('health', outcome.critical, HEALTH_REMEDY);
  record.resumed += resumption?.journal.resumed ?? 0;
  if (outcome.unusable !== null) record.failure_reason = 'no_device';
  if (outcome.unusable !== null || outcome.failures.length > 0) record.failure_remedy = outcome.remedy;
}

function skipped(
  context: RunContext,
  machine: PreparedMachine,
  { benchmark_id: benchmarkId, place }: PlacedItem,
): MeasuredBenchmark {
  const now = new Date(context.host.clock.now()).toISOString();
  const words = `this agent has no benchmark '${benchmarkId}'`;
  context.record.warnings.push(words);
  context.emit({ type: 'notice', level: 'warning', message: words, remedy: 'A newer agent may have it.' });
  return {
    machine_uuid: machine.machine_uuid,
    benchmark_id: benchmarkId,
    item: place,
    attempt: 1,
    state: 'skipped',
    started_at: now,
    ended_at: now,
    error_message: words,
    warnings: [],
    payload: null,
  };
}

/** The job's tier overrides the command line: all nodes of a job must do the same. */
function tierOf(item: BenchmarkItem, given: Tier): Tier {
  const asked = item.config?.['tier'];
  return TIERS.find((tier) => tier === asked) ?? given;
}

/** The job's engine overrides the command line too: figures by different engines are not comparable. */
function engineOf(item: BenchmarkItem, given: EngineChoice): EngineChoice {
  const asked = item.config?.['engine'];
  return ENGINES.find((engine) => engine === asked) ?? given;
}

/** The contract's limits: 100 warnings of 500 characters. */
export const bounded = (warnings: string[]): string[] =>
  warnings.slice(0, 100).map((warning) => cutWords(warning, 500));

/** Opens the journal of this machine's soak for this job, and reports whether it is resumed. */
function resumeSoak(
  context: RunContext,
  machine: PreparedMachine,
  inventory: MachineInventory,
  place: number,
  engine: EngineChoice,
): Resumption {
  const { emit, host, record } = context;
  const identity = {
    job: `${record.job_id ?? record.mode}/${place}`,
    machine_uuid: machine.machine_uuid,
    revision: host.installation.revision,
    config_id: inventory.config_id,
    engine,
  };
  const journal = new SoakJournal(machine.state_directory, identity, realDisk, host.clock.now());
  const say = (message: string): void => emit({ type: 'notice', level: 'info', message, remedy: null });
  if (journal.ignored !== null) say(`an earlier soak is not resumed: ${journal.ignored}`);
  if (journal.resumed > 0)
    say(`resuming the soak of ${journal.started_at.toISOString()}: ${journal.pieces} pieces are measured already`);
  return { journal, now: () => host.clock.now() };
}
