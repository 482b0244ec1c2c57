import { hostname } from 'node:os';
import { ExitError } from '../run/exit-error.ts';
import type { RunContext } from '../run/run-context.ts';
import { runClusterNetwork } from '../links/run-cluster-network.ts';
import { prepareMachine, type PreparedMachine } from '../setup/prepare-machine.ts';
import { buildEntries } from './build-entries.ts';
import type { CoordinatorClient, Registration } from '../client/coordinator-client.ts';
import { failedMeasurement } from './failed-measurement.ts';
import { deliverResults } from './deliver-results.ts';
import { describeMachine } from './describe-machine.ts';
import type { Heartbeat } from './heartbeat.ts';
import { keepResults } from './keep-results.ts';
import { measureSequence, type MeasuredBenchmark, type MeasureNetwork } from './measure-sequence.ts';
import { openClient } from '../client/open-client.ts';
import { register, type Registrant } from './register.ts';
import { startBeating, type BeatStatus } from './start-beating.ts';
import { Spool } from '../state/spool.ts';
import { cutWords } from '../../coordinator/figures/cut-words.ts';

/**
 * One node's part of a job: prepare, register, inventory, measure, keep on disk, deliver, report. Registers only after
 * the machine is known to be able to measure; sends results only after they are on disk.
 * @throws ExitError
 */
export async function runJob(context: RunContext, coordinator: string, token: string): Promise<void> {
  const { host, record, limits, emit } = context;
  const machine = await prepareMachine(context);
  const spool = new Spool(machine.state_directory);
  spool.prepare();
  const { trace_id } = record;
  const { signal } = context.stop;
  const { ca, proxies } = context.options;
  const client = openClient(host, limits, { coordinator, token, trace_id, ca, proxies, signal });
  try {
    const registrant = registrantOf(context, machine);
    emit({ type: 'step', step: 'register', state: 'started', message: `registering at ${coordinator}` });
    const registration = await register(client, registrant, limits, host.clock, emit);
    record.job_id = registration.job.id;
    record.task_id = registration.task_id;
    record.job_url = registration.page_url ?? `${coordinator}/jobs/${registration.job.id}`;
    emit({
      type: 'step',
      step: 'register',
      state: 'done',
      message: `registered for job ${registration.job.id} (${registration.job.name})`,
    });
    await runRegistered({ context, client, machine, registrant, registration, spool, token });
  } catch (error) {
    if (context.stop.by !== null && !(error instanceof ExitError && error.reason === 'kernel'))
      throw context.stop.toError();
    throw error;
  } finally {
    await client.connection.close();
  }
}

interface RegisteredRun {
  context: RunContext;
  client: CoordinatorClient;
  machine: PreparedMachine;
  registrant: Registrant;
  registration: Registration;
  spool: Spool;
  token: string;
}

async function runRegistered(run: RegisteredRun): Promise<void> {
  const { context, client, registration } = run;
  const status: BeatStatus = { phase: 'waiting', progress: null };
  const heartbeat = startBeating(context, client, registration, status);
  try {
    const results = await measureAll(run, status, heartbeat);
    await deliverAll(run, results, status, heartbeat);
  } catch (error) {
    // A result on disk includes the ending. Without a result the coordinator must still be notified of the end.
    if (context.record.spool_file === null && !context.record.saved)
      await tellFailure(context, client, registration, error);
    throw error;
  } finally {
    await heartbeat.stop();
  }
  if (context.stop.by === null) context.record.report_url = await awaitReport(context, client, registration.task_id);
}

async function measureAll(run: RegisteredRun, status: BeatStatus, heartbeat: Heartbeat): Promise<MeasuredBenchmark[]> {
  const { context, client, machine, registration } = run;
  const { task_id, epoch } = registration;
  status.phase = 'inventory';
  const inventory = await describeMachine(context, machine, client.connection.local_address, registration.country);
  try {
    await client.inventory({ task_id, epoch, inventory });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    context.emit({
      type: 'notice',
      level: 'warning',
      message: `the inventory was not taken (${why}); it is sent again with the result`,
      remedy: null,
    });
  }
  if (context.stop.by !== null) throw context.stop.toError();
  status.phase = 'measuring';
  await heartbeat.beatNow();
  const onProgress = (share: number): void => {
    status.progress = Math.min(1, share);
  };
  const network: MeasureNetwork = (item, tell) =>
    runClusterNetwork(context, client, machine, { task_id, epoch, item: item.place }, item.config, tell);
  return await measureSequence(context, machine, inventory, registration.job.benchmark_sequence, onProgress, network);
}

async function deliverAll(
  run: RegisteredRun,
  results: MeasuredBenchmark[],
  status: BeatStatus,
  heartbeat: Heartbeat,
): Promise<void> {
  const { context, client, registration, registrant, spool, token } = run;
  const { task_id, epoch, task_secret } = registration;
  const task = { job_id: registration.job.id, task_id, epoch, task_secret };
  const entries = buildEntries(context, client.connection.base_url, token, task, registrant, results);
  const kept = keepResults(context, spool, entries);
  status.phase = 'uploading';
  await heartbeat.beatNow();
  await deliverResults(context, client, spool, kept, task);
  if (context.stop.by !== null) throw context.stop.toError();
  const failure =
    failedMeasurement(context, results) ?? context.record.network_failure ?? context.record.health_failure;
  if (failure !== null) throw failure;
}

export function registrantOf(context: RunContext, machine: PreparedMachine): Registrant {
  const { host } = context;
  return {
    machine_uuid: machine.machine_uuid,
    session_id: host.random.uuid(),
    agent_version: host.installation.version,
    hostname: hostname().slice(0, 255) || null,
    launcher: launcherFacts(host.env),
  };
}

/**
 * Variables of Slurm, Kubernetes and MPI launchers with this node's rank and the number of nodes. Nothing else from the
 * environment is sent.
 */
const VARIABLES = [
  'SLURM_JOB_ID',
  'SLURM_NODEID',
  'SLURM_NNODES',
  'SLURM_PROCID',
  'SLURMD_NODENAME',
  'JOB_COMPLETION_INDEX',
  'NODE_NAME',
  'POD_NAME',
  'OMPI_COMM_WORLD_RANK',
  'OMPI_COMM_WORLD_SIZE',
  'PMI_RANK',
] as const;

function launcherFacts(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const facts = VARIABLES.map((name) => [name.toLowerCase(), env[name]?.slice(0, 400)]);
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined && value !== ''));
}

/** Reports that no result will come, so that the job need not wait for the lease. Errors are ignored. */
async function tellFailure(
  context: RunContext,
  client: CoordinatorClient,
  registration: Registration,
  error: unknown,
): Promise<void> {
  const { limits, stop } = context;
  const { task_id, epoch } = registration;
  const words = stop.message ?? (error instanceof Error ? error.message : String(error));
  try {
    await client.fail(
      { task_id, epoch, state: stop.by === null ? 'failed' : 'aborted', message: cutWords(words, 2000) || 'failed' },
      limits.farewell_ms,
    );
  } catch {
    // The lease expires by itself.
  }
}

/** Polls for the report of this task until it is rendered, for a short time: the job shows it later anyway. */
async function awaitReport(context: RunContext, client: CoordinatorClient, taskId: string): Promise<string | null> {
  const { emit, host, limits, stop } = context;
  emit({ type: 'step', step: 'report', state: 'started', message: 'waiting for the report' });
  const start = host.clock.elapsed();
  while (!stop.signal.aborted && host.clock.elapsed() - start < limits.report_ms) {
    const url = await reportUrl(client, taskId);
    if (url !== null) {
      emit({ type: 'step', step: 'report', state: 'done', message: 'the report is ready' });
      return url;
    }
    await host.clock.sleep(limits.report_poll_ms * (0.75 + 0.5 * host.random.fraction()), stop.signal);
  }
  emit({ type: 'step', step: 'report', state: 'failed', message: 'the report is not ready yet; the job will show it' });
  return null;
}

/** The result is delivered, so errors here are only retried. */
async function reportUrl(client: CoordinatorClient, taskId: string): Promise<string | null> {
  try {
    return (await client.job()).tasks.find((task) => task.id === taskId)?.pdf_report_url ?? null;
  } catch {
    return null;
  }
}
