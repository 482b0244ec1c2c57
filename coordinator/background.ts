import { pruneThrottle } from './accounts/throttle/throttle-login.ts';
import { systemContext, type Platform } from './platform/context.ts';
import { runPeriodically, type Periodic } from './platform/periodic.ts';

const HOUR_MS = 3_600_000;

/** Everything the coordinator does unasked: sweeps and the work queue. */
export function startBackground(platform: Platform): Periodic {
  const { log, randomBytes } = platform;
  const common = { log, randomBytes };
  const context = systemContext(platform, 'periodic');
  const running = [
    runPeriodically({ ...common, name: 'prune-throttle', everyMs: HOUR_MS, work: () => pruneThrottle(context) }),
  ];
  return { stop: async () => void (await Promise.all(running.map((part) => part.stop()))) };
}
