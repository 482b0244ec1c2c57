import type { SessionLimits } from '../session/session-limits.ts';
import type { RunRecord } from '../session/run-record.ts';
import type { StopRequest } from '../session/stop-request.ts';
import type { Emit } from '../ui/run-event.ts';
import type { Host } from './host.ts';
import type { RunOptions } from './options.ts';

/** What every part of a run is given. */
export interface RunContext {
  host: Host;
  options: RunOptions;
  limits: SessionLimits;
  emit: Emit;
  record: RunRecord;
  stop: StopRequest;
}
