import { programUses } from './accounts/programs/record-use.ts';
import { heedRevocations, LOOK_MS } from './accounts/revocation/heed-revocations.ts';
import { pruneAccounts } from './accounts/prune-accounts.ts';
import { pruneThrottle } from './accounts/throttle/throttle-login.ts';
import { repriceDays } from './market/pricing/reprice-days.ts';
import { pruneJobEvents } from './portal/live/prune-job-events.ts';
import { buildNewCurves } from './forward/build-curves.ts';
import { readFigures } from './lifecycle/performance/read-figures.ts';
import { expireJobs, sweepLeases } from './lifecycle/sweep.ts';
import { forgetKeys } from './jobs/idempotency.ts';
import { extendLeases } from './lifecycle/change-task.ts';
import { retireJobs } from './jobs/delete-job.ts';
import { sweepArtifacts } from './platform/artifacts/sweep-artifacts.ts';
import type { Sql } from './platform/db/client.ts';
import { listenForNews } from './platform/db/listen-for-news.ts';
import { onNews } from './platform/db/news.ts';
import { removeReplaced } from './platform/archive/link-archive.ts';
import { deleteFullBuckets } from './platform/limits/queries.ts';
import { systemContext, type Context, type Platform } from './platform/context.ts';
import { warnOfClock } from './platform/doctor/clock.ts';
import { runPeriodically, type Periodic } from './platform/periodic.ts';
import { trainDaily } from './prediction/train.ts';
import { pruneWork, runWorkQueue } from './platform/work-queue/run-work-queue.ts';
import { workHandlers } from './reports/render-report.ts';
import { deriveNewDays } from './tokens/pricing/recompute-token-days.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Each has a thread of its own; more would only take the cores from the requests. */
const REPORTS_AT_A_TIME = 2;

/** When a credential was last used is known so late. */
const USES_MS = 5000;

/** With its jitter and its own time on a busy machine this stays under the 5 s that a lease of 45 s leaves of the promised 50 s. */
const SWEEP_MS = 2500;

/**
 * Everything the coordinator does unasked: sweeps and the work queue. Before the first sweep every node gets a whole
 * lease, so that nobody is lost for the time we were away.
 */
export async function startBackground(platform: Platform, connectDirectly: () => Sql): Promise<Periodic> {
  const { log, randomBytes } = platform;
  const common = { log, randomBytes };
  const context = systemContext(platform, 'periodic');
  await extendLeases(context);
  await warnOfClock(context);
  const heed = heedRevocations(context);
  const forget = onNews(platform.sql, 'revocation', () => void heed());
  const running = [
    { stop: async () => forget() },
    listenForNews({ ...common, sql: platform.sql, connectDirectly }),
    runPeriodically({ ...common, name: 'heed-revocations', everyMs: LOOK_MS, work: heed }),
    runPeriodically({ ...common, name: 'prune-throttle', everyMs: 10 * MINUTE_MS, work: () => pruneThrottle(context) }),
    runPeriodically({
      ...common,
      name: 'write-uses',
      everyMs: USES_MS,
      work: () => programUses(platform).write(context),
    }),
    runPeriodically({ ...common, name: 'prune-accounts', everyMs: HOUR_MS, work: () => pruneAccounts(context) }),
    runPeriodically({
      ...common,
      name: 'prune-buckets',
      everyMs: MINUTE_MS,
      work: () => deleteFullBuckets(platform.sql),
    }),
    runPeriodically({ ...common, name: 'prune-job-events', everyMs: HOUR_MS, work: () => pruneJobEvents(context) }),
    runPeriodically({ ...common, name: 'prune-work', everyMs: HOUR_MS, work: () => pruneWork(platform) }),
    runPeriodically({ ...common, name: 'clock', everyMs: 10 * MINUTE_MS, work: () => warnOfClock(context) }),
    runPeriodically({ ...common, name: 'token-days', everyMs: 10 * MINUTE_MS, work: () => deriveNewDays(context) }),
    runPeriodically({ ...common, name: 'reprice-days', everyMs: 10 * MINUTE_MS, work: () => reprice(context) }),
    runPeriodically({ ...common, name: 'forward', everyMs: 10 * MINUTE_MS, work: () => buildNewCurves(context) }),
    runPeriodically({ ...common, name: 'prediction', everyMs: 10 * MINUTE_MS, work: () => trainDaily(context) }),
    runPeriodically({ ...common, name: 'retire-jobs', everyMs: HOUR_MS, work: () => retireJobs(context) }),
    runPeriodically({ ...common, name: 'read-figures', everyMs: MINUTE_MS, work: () => readFigures(context) }),
    runPeriodically({ ...common, name: 'remove-replaced', everyMs: HOUR_MS, work: () => removeReplaced(context) }),
    runPeriodically({ ...common, name: 'sweep-artifacts', everyMs: MINUTE_MS, work: () => sweepArtifacts(context) }),
    runPeriodically({ ...common, name: 'sweep', everyMs: SWEEP_MS, work: () => sweep(context) }),
    runWorkQueue({ platform, handlers: workHandlers, concurrency: REPORTS_AT_A_TIME, pollSeconds: 1 }),
  ];
  return { stop: async () => void (await Promise.all(running.map((part) => part.stop()))) };
}

const reprice = async (context: Context): Promise<void> => void (await repriceDays(context));

/** Jobs expire also if the leases could not be swept. */
async function sweep(context: Context): Promise<void> {
  try {
    await sweepLeases(context);
  } finally {
    await expireJobs(context);
    await forgetKeys(context);
  }
}
