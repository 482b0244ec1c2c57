import { runRunner } from '../../agent/kernels/run-runner.ts';
import { RunnerError } from '../../agent/kernels/runner-error.ts';
import type { CellEvent, DeviceEvent, ResultEvent, RunnerEventOf } from '../../agent/kernels/runner-events.ts';
import type { CheckContext } from './check-context.ts';
import { type Watched, TelemetryWatch } from './telemetry-watch.ts';

type Failure = Pick<RunnerEventOf<'error'>, 'device_id' | 'code' | 'message' | 'remedy'>;

/** One process of the runner: what it said, without its samples. */
export interface RunnerRecord {
  arguments: string[];
  started_at: string;
  /** null if it ended without a summary */
  exit_code: number | null;
  /** of the whole process, by our clock */
  wall_seconds: number;
  devices: DeviceEvent[];
  results: ResultEvent[];
  cells: CellEvent[];
  errors: Failure[];
  telemetry: Record<string, Watched>;
}

/** A quick tier takes half a minute per device; a driver that hangs must not hold the check for ever. */
const deadlineSeconds = 600;

/** Runs the runner once. A runner that could not do its work leaves an error of code `runner_<why>` in the record. */
export async function recordRun(context: CheckContext, args: string[]): Promise<RunnerRecord> {
  const record: RunnerRecord = {
    arguments: args,
    started_at: context.clock.now().toISOString(),
    exit_code: null,
    wall_seconds: 0,
    devices: [],
    results: [],
    cells: [],
    errors: [],
    telemetry: {},
  };
  const watch = new TelemetryWatch();
  const begun = context.clock.monotonic_seconds();
  const request = { path: context.runner_path, args, deadline_seconds: deadlineSeconds, cancel_signal: context.signal };
  try {
    for await (const event of runRunner(request)) {
      if (event.event === 'device') record.devices.push(withoutSerial(event));
      if (event.event === 'result') record.results.push(event);
      if (event.event === 'cell') record.cells.push(event);
      if (event.event === 'telemetry') watch.add(event);
      if (event.event === 'error') record.errors.push(failureOf(event));
      if (event.event === 'summary') record.exit_code = event.exit_code;
    }
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    record.errors.push({ device_id: null, code: `runner_${error.code}`, message: error.message, remedy: error.remedy });
  }
  record.wall_seconds = context.clock.monotonic_seconds() - begun;
  record.telemetry = watch.perDevice();
  return record;
}

const failureOf = ({ device_id, code, message, remedy }: Failure): Failure => ({ device_id, code, message, remedy });

/** Results are published; the serial number of somebody's card and the processes on it are nobody's business. */
function withoutSerial(device: DeviceEvent): DeviceEvent {
  const { serial: _serial, processes_pids: _pids, ...attributes } = device.attributes;
  return { ...device, attributes };
}
