import type { RunContext } from '../run/run-context.ts';
import { prepareMachine } from '../setup/prepare-machine.ts';
import type { PreparedMachine } from '../setup/prepare-machine.ts';
import { buildEntries } from './build-entries.ts';
import { describeMachine } from './describe-machine.ts';
import { failedMeasurement } from './failed-measurement.ts';
import { keepResults } from './keep-results.ts';
import { measureSequence } from './measure-sequence.ts';
import type { MeasuredBenchmark } from './measure-sequence.ts';
import { registrantOf } from './run-job.ts';
import { Spool } from '../state/spool.ts';

/** Without a coordinator there is no sequence: measures the one benchmark that every job has. */
const SEQUENCE = [{ benchmark_id: 'quick_mark', config: null }];

/**
 * `--offline`: measures for a job without reaching its coordinator. The result goes to the spool; `upload` registers the
 * machine and delivers it.
 */
export async function runOffline(context: RunContext, coordinator: string, token: string): Promise<void> {
  await measureHere(context, 'gpumark-agent upload', (machine) => {
    const spool = new Spool(machine.state_directory);
    spool.prepare();
    return (results) => {
      const registrant = registrantOf(context, machine);
      keepResults(context, spool, buildEntries(context, coordinator, token, null, registrant, results));
    };
  });
}

/** Without a token: measure and show. Nothing is sent anywhere and nothing is kept. */
export async function runQuickTest(context: RunContext): Promise<void> {
  const next = 'GPUMARK_API_KEY=TOKEN gpumark-agent  (the token of a job saves the result)';
  await measureHere(context, next, () => () => undefined);
}

/** @param open prepares, before measuring, where the results are kept */
async function measureHere(
  context: RunContext,
  nextCommand: string,
  open: (machine: PreparedMachine) => (results: MeasuredBenchmark[]) => void,
): Promise<void> {
  const { record, stop } = context;
  const machine = await prepareMachine(context);
  const keep = open(machine);
  const inventory = await describeMachine(context, machine, null, null);
  if (stop.by !== null) throw stop.toError();
  const results = await measureSequence(context, machine, inventory, SEQUENCE, () => undefined, null);
  keep(results);
  record.next_command = nextCommand;
  if (stop.by !== null) throw stop.toError();
  const failure = failedMeasurement(context, results) ?? record.health_failure;
  if (failure !== null) throw failure;
}
