import type { SessionLimits } from './session-limits.ts';
import type { RunRecord } from './run-record.ts';
import type { StopRequest } from './stop-request.ts';
import type { Emit } from './run-event.ts';
import type { Host } from './host.ts';
import type { RunOptions } from './run-options.ts';

/** The context passed to every part of a run. */
export interface RunContext {
  host: Host;
  options: RunOptions;
  limits: SessionLimits;
  emit: Emit;
  record: RunRecord;
  stop: StopRequest;
}
