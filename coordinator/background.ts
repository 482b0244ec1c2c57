import { programUses } from './accounts/programs/record-use.ts';
import { heedRevocations, LOOK_MS } from './accounts/credential-caches.ts';
import { pruneThrottle } from './accounts/throttle/throttle-login.ts';
import { repriceDays } from './market/pricing/reprice-days.ts';
import { buildNewCurves } from './forward/build-curves.ts';
import { readFigures } from './lifecycle/performance/peer-figures.ts';
import { expireJobs, sweepLeases } from './lifecycle/sweep.ts';
import { forgetKeys } from './jobs/idempotency.ts';
import { MACHINE_COUNTS } from './lifecycle/job-rows.ts';
import { judgeOldTasks } from './lifecycle/known-judgement.ts';
import { extendLeases } from './lifecycle/change-task.ts';
import { retireJobs } from './jobs/delete-job.ts';
import { sweepArtifacts } from './platform/artifacts/sweep-artifacts.ts';
import type { Sql, Transaction } from './platform/db/client.ts';
import { tryLockByName } from './platform/db/transactions.ts';
import { listenForNews, onNews } from './platform/db/news.ts';
import { removeReplaced } from './platform/archive/link-archive.ts';
import { deleteFullBuckets } from './platform/limits/queries.ts';
import { systemContext, type Context, type Platform } from './platform/context.ts';
import { warnOfClock } from './platform/doctor/clock.ts';
import { runPeriodically, type Periodic } from './platform/periodic.ts';
import { trainDaily } from './prediction/train.ts';
import { pruneWork, runWorkQueue } from './platform/work-queue/run-work-queue.ts';
import { workHandlers } from './reports/render-report.ts';
import { deriveNewDays } from './tokens/pricing/recompute-token-days.ts';
import { deleteExpiredLinks } from './accounts/passwords/queries.ts';
import { deleteExpiredSignUps } from './accounts/sign-up/queries.ts';
import { deleteExpiredSessions } from './accounts/queries.ts';
import { deleteEventsBefore } from './accounts/audit/queries.ts';
import { deleteOldJobEvents } from './portal/queries/job-page.ts';
import { foldMachineChanges } from './portal/queries/machines.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Each report is rendered in its own thread; more would only take CPU cores from requests. */
const REPORTS_AT_A_TIME = 2;

/** How often last-used times of credentials are written; they can be this late. */
const USES_MS = 5000;

/** Machine lists also count the changes that are not folded in yet, so this only keeps them fast. */
const COUNT_MS = 10_000;

/**
 * A lost node is noticed within 50 s and a lease lasts 45 s: with jitter and its run time on a busy machine, a sweep stays
 * within the remaining 5 s.
 */
const SWEEP_MS = 2500;

/**
 * Everything the coordinator does on its own: sweeps and the work queue. Before the first sweep every node gets a full
 * lease, so that no node counts as lost because of our own downtime.
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
    runPeriodically({ ...common, name: 'judge-old-tasks', everyMs: MINUTE_MS, work: () => judgeAllOld(context) }),
    runPeriodically({ ...common, name: 'remove-replaced', everyMs: HOUR_MS, work: () => removeReplaced(context) }),
    runPeriodically({ ...common, name: 'sweep-artifacts', everyMs: MINUTE_MS, work: () => sweepArtifacts(context) }),
    runPeriodically({
      ...common,
      name: 'count-machines',
      everyMs: COUNT_MS,
      work: () => countMachines(context),
    }),
    runPeriodically({ ...common, name: 'sweep', everyMs: SWEEP_MS, work: () => sweep(context) }),
    runWorkQueue({ platform, handlers: workHandlers, concurrency: REPORTS_AT_A_TIME, pollSeconds: 1 }),
  ];
  return { stop: async () => void (await Promise.all(running.map((part) => part.stop()))) };
}

/** After an upgrade, all that the earlier release left; then nothing. */
async function judgeAllOld(context: Context): Promise<void> {
  while ((await judgeOldTasks(context)) > 0);
}

const reprice = async (context: Context): Promise<void> => void (await repriceDays(context));

/** Jobs expire even if sweeping the leases fails. */
async function sweep(context: Context): Promise<void> {
  try {
    await sweepLeases(context);
  } finally {
    await expireJobs(context);
    await forgetKeys(context);
  }
}

const DAY_MS = 86_400_000;
/** Rows that one statement deletes or folds. */
const AT_ONCE = 5000;

/** Deletes expired sessions, password links a day after their expiry, expired sign-ups and old audit events. */
export async function pruneAccounts(context: Context): Promise<number> {
  const now = context.now();
  await pruneEvents(context);
  const sessions = await deleteExpiredSessions(context.sql, now);
  await deleteExpiredSignUps(context.sql, now);
  return sessions + (await deleteExpiredLinks(context.sql, new Date(now.getTime() - DAY_MS)));
}

/** Folds pending changes into the machine counts; one process at a time, and not while a customer is being erased. */
export async function countMachines({ sql }: Context): Promise<void> {
  const some = (tx: Transaction) =>
    tryLockByName(tx, MACHINE_COUNTS).then((isOurs) => (isOurs ? foldMachineChanges(tx, AT_ONCE) : 0));
  while ((await sql.begin(some)) === AT_ONCE);
}

/** A year, plus the weeks in which someone may ask about it. The database itself rejects deleting younger events. */
const KEPT_DAYS = 400;

export async function pruneEvents({ sql, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS);
  while ((await deleteEventsBefore(sql, before, AT_ONCE)) === AT_ONCE);
}

/** Pages follow the sequence number of a job's last change, which is kept; the change events are kept for a week. */
export async function pruneJobEvents({ sql, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - 7 * DAY_MS);
  while ((await deleteOldJobEvents(sql, before, AT_ONCE)) === AT_ONCE);
}
