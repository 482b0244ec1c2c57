import { hostname } from 'node:os';
import { ExitError } from '../run/exit-error.ts';
import type { RunContext } from '../run/run-context.ts';
import { runClusterNetwork } from '../links/run-cluster-network.ts';
import { prepareMachine } from '../setup/prepare-machine.ts';
import type { PreparedMachine } from '../setup/prepare-machine.ts';
import { awaitReport } from './await-report.ts';
import { buildEntries } from './build-entries.ts';
import type { CoordinatorClient, Registration } from '../client/coordinator-client.ts';
import { failedMeasurement } from './failed-measurement.ts';
import { deliverResults } from './deliver-results.ts';
import { describeMachine } from './describe-machine.ts';
import type { Heartbeat } from './heartbeat.ts';
import { keepResults } from './keep-results.ts';
import { launcherFacts } from './launcher-facts.ts';
import { measureSequence } from './measure-sequence.ts';
import type { MeasuredBenchmark, MeasureNetwork } from './measure-sequence.ts';
import { openClient } from '../client/open-client.ts';
import { register } from './register.ts';
import type { Registrant } from './register.ts';
import { startBeating } from './start-beating.ts';
import type { BeatStatus } from './start-beating.ts';
import { Spool } from '../state/spool.ts';
import { tellFailure } from './tell-failure.ts';

/**
 * One node's part of a job: prepare, register, inventory, measure, keep on disk, deliver, report.
 * Nothing is registered before the machine is known to be able to measure; nothing is sent before it is on disk.
 * @throws ExitError
 */
export async function runJob(context: RunContext, coordinator: string, token: string): Promise<void> {
  const { host, record, limits, emit } = context;
  const machine = await prepareMachine(context);
  const spool = new Spool(machine.state_directory);
  spool.prepare();
  const { trace_id } = record;
  const { signal } = context.stop;
  const client = openClient(host, limits, { coordinator, token, trace_id, ca: context.options.ca, signal });
  try {
    const registrant = registrantOf(context, machine);
    emit({ type: 'step', step: 'register', state: 'started', message: `registering at ${coordinator}` });
    const registration = await register(client, registrant, limits, host.clock, emit);
    record.job_id = registration.job.id;
    record.task_id = registration.task_id;
    record.job_url = `${coordinator}/api/gpu-mark/v1/jobs/${registration.job.id}`;
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
    // A result that exists is on disk, with its ending. Without one the coordinator must still hear that it is over.
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
      message: `the inventory was not taken (${why}); it goes out again with the result`,
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
  const failure = failedMeasurement(context, results) ?? context.record.network_failure;
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
