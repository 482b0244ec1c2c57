import type { RunContext } from '../run/run-context.ts';
import { prepareMachine } from '../setup/prepare-machine.ts';
import { buildEntries } from './build-entries.ts';
import { describeMachine } from './describe-machine.ts';
import { failedMeasurement } from './failed-measurement.ts';
import { keepResults } from './keep-results.ts';
import { measureSequence } from './measure-sequence.ts';
import { registrantOf } from './run-job.ts';
import { Spool } from '../state/spool.ts';

/** Without a coordinator nobody says what to measure: the one benchmark every job has. */
const SEQUENCE = [{ benchmark_id: 'quick_mark', config: null }];

/**
 * `--offline`: measures for a job without reaching its coordinator. The result goes to the spool; `upload` registers the
 * machine and delivers it.
 */
export async function runOffline(context: RunContext, coordinator: string, token: string): Promise<void> {
  const machine = await prepareMachine(context);
  const spool = new Spool(machine.state_directory);
  spool.prepare();
  const inventory = await describeMachine(context, machine, null, null);
  if (context.stop.by !== null) throw context.stop.toError();
  const results = await measureSequence(context, machine, inventory, SEQUENCE, () => undefined, null);
  keepResults(context, spool, buildEntries(context, coordinator, token, null, registrantOf(context, machine), results));
  context.record.next_command = 'gpumark-agent upload';
  if (context.stop.by !== null) throw context.stop.toError();
  const failure = failedMeasurement(context, results);
  if (failure !== null) throw failure;
}

/** Without a token: measure and show. Nothing is sent anywhere and nothing is kept. */
export async function runQuickTest(context: RunContext): Promise<void> {
  const machine = await prepareMachine(context);
  const inventory = await describeMachine(context, machine, null, null);
  if (context.stop.by !== null) throw context.stop.toError();
  const results = await measureSequence(context, machine, inventory, SEQUENCE, () => undefined, null);
  context.record.next_command = 'GPUMARK_API_KEY=TOKEN gpumark-agent  (the token of a job saves the result)';
  if (context.stop.by !== null) throw context.stop.toError();
  const failure = failedMeasurement(context, results);
  if (failure !== null) throw failure;
}
