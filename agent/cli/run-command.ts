import { engineNames } from '../../coordinator/contract/matrix-engine.ts';
import { coordinatorUrl } from '../client/job-token.ts';
import { warnOfPlainHttp } from '../client/warn-of-plain-http.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import type { RunContext } from '../run/run-context.ts';
import type { Emit } from '../run/run-event.ts';
import type { RunOptions, Threshold, Tier } from '../run/run-options.ts';
import { type RunRecord, summarise } from '../run/run-record.ts';
import { sessionLimits, type SessionLimits } from '../run/session-limits.ts';
import { listenForStop } from '../run/stop-request.ts';
import { runJob } from '../session/run-job.ts';
import { runOffline, runQuickTest } from '../session/run-offline.ts';
import { prepareMachine } from '../setup/prepare-machine.ts';
import { chooseRenderer } from '../ui/choose-renderer.ts';
import { shortfalls } from './thresholds.ts';

/** The renderer itself redraws at most ten times a second; this only moves the progress bar. */
const TICK_MS = 250;

/**
 * The main command: a job's part, an offline measurement or a quick test, shown by the chosen renderer. The last event
 * is always the summary.
 * @throws ExitError after the summary has been shown
 */
export async function runCommand(
  host: Host,
  options: RunOptions,
  limits: SessionLimits = sessionLimits,
): Promise<number> {
  host.outliveOutput();
  const renderer = chooseRenderer(host, options.output, options.verbose);
  const emit: Emit = (event) => renderer.show(event, new Date(host.clock.now()));
  const stop = listenForStop(host, emit, () => renderer.close());
  const record = newRecord(host, options);
  const ticker = setInterval(() => renderer.tick(), TICK_MS);
  let failure: ExitError | null = null;
  try {
    await perform({ host, options, limits, emit, record, stop });
    if (!options.dry_run) checkThresholds(options.thresholds, record);
  } catch (error) {
    failure =
      error instanceof ExitError
        ? error
        : new ExitError('bug', `unexpected: ${error instanceof Error ? error.message : String(error)}`, null, error);
  } finally {
    clearInterval(ticker);
    stop.dispose();
  }
  const summary = summarise(
    record,
    failure,
    host.clock.elapsed(),
    stop.by === null ? null : (stop.message ?? 'stopped'),
  );
  emit(summary);
  renderer.close();
  if (failure !== null) throw failure;
  return summary.exit_code;
}

/** Affects the summary only: this machine's thresholds do not concern the job. */
function checkThresholds(thresholds: readonly Threshold[], record: RunRecord): void {
  const short = shortfalls(thresholds, record.devices);
  record.warnings.push(...short);
  record.below_thresholds = short.length > 0;
}

async function perform(context: RunContext): Promise<void> {
  const { host, options, record, emit } = context;
  const coordinator = options.token === null ? null : coordinatorUrl(options.coordinator, options.token);
  record.coordinator = coordinator;
  const { version, revision } = host.installation;
  emit({
    type: 'run',
    mode: record.mode,
    trace_id: record.trace_id,
    agent_version: version,
    revision,
    coordinator,
    tier: options.tier,
    engine: options.engine,
  });
  if (coordinator !== null && !options.offline) await warnOfPlainHttp(host.clock, coordinator, emit);
  if (options.dry_run) return await planRun(context);
  if (options.token === null || coordinator === null) return await runQuickTest(context);
  if (options.offline) return await runOffline(context, coordinator, options.token);
  return await runJob(context, coordinator, options.token);
}

function newRecord(host: Host, options: RunOptions): RunRecord {
  return {
    started_elapsed_ms: host.clock.elapsed(),
    planned: options.dry_run,
    engine: options.engine,
    failure_reason: 'kernel',
    failure_remedy: null,
    network_failure: null,
    health_failure: null,
    node_health: [],
    node_health_not_read: [],
    below_thresholds: false,
    network: [],
    mode: options.token === null ? 'quick-test' : options.offline ? 'offline' : 'job',
    saved: false,
    trace_id: host.random.hex(16),
    agent_version: host.installation.version,
    machine_uuid: null,
    config_id: null,
    coordinator: null,
    job_id: null,
    task_id: null,
    job_url: null,
    report_url: null,
    spool_file: null,
    devices: [],
    judged: [],
    failures: [],
    matrix: null,
    resumed: 0,
    warnings: [],
    next_command: null,
  };
}

/** Expected duration, for people; the runner's phases give exact times once they run. */
const EXPECTATION: Record<Tier, string> = {
  quick: 'under a minute for the whole node',
  standard: 'up to 15 minutes',
  soak: 'hours; Ctrl-C ends it and keeps what was measured',
};

/** `--dry-run`: everything up to the first contact with the coordinator, then the plan. */
export async function planRun(context: RunContext): Promise<void> {
  const { emit, options, record } = context;
  const machine = await prepareMachine(context);
  const names = machine.devices.map((device) => `${device.device_id} (${device.name})`).join(', ');
  const target =
    record.coordinator === null
      ? 'nothing is saved'
      : options.offline
        ? 'kept in the spool'
        : `delivered to ${record.coordinator}`;
  const engine = options.engine === 'auto' ? '' : `, matrix products with ${engineNames[options.engine]}`;
  emit({
    type: 'notice',
    level: 'info',
    message: `would measure quick_mark on ${names}: ${EXPECTATION[options.tier]}${engine}; ${target}`,
    remedy: null,
  });
}
