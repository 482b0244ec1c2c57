import { type Context, type Platform, systemContext } from '../context.ts';
import { onNews } from '../db/news.ts';
import { StoreError } from '../errors.ts';
import { runPeriodically } from '../periodic.ts';
import {
  type ClaimedWork,
  claimWork,
  countWorkIn,
  deleteEndedWork,
  finishWork,
  lockClaims,
  postponeWork,
  type WorkKind,
} from './queries.ts';

/** Does one item. It runs outside any transaction and may run twice, so it must be idempotent. */
export type WorkHandler = (context: Context, item: ClaimedWork, signal: AbortSignal) => Promise<void>;

interface Options {
  platform: Platform;
  /** Only kinds with a handler are claimed. */
  handlers: Partial<Record<WorkKind, WorkHandler>>;
  /** maximum items at a time in this process */
  concurrency: number;
  pollSeconds: number;
  /** How long an item may take. After that the item belongs to the process that claims it next. */
  lockSeconds?: number;
}

interface WorkQueue {
  /** Claims no new item and resolves when the running ones have ended. */
  stop: () => Promise<void>;
}

/** Processes the queue until stopped. Any number of coordinators can do so on one database. */
export function runWorkQueue(options: Options): WorkQueue {
  const { platform, pollSeconds, concurrency } = options;
  const kinds: WorkKind[] = (['job_report', 'task_report'] as const).filter((kind) => options.handlers[kind]);
  const lane: Lane = { ...options, kinds, lockSeconds: options.lockSeconds ?? 120 };
  const lanes = Array.from({ length: concurrency }, () =>
    runPeriodically({
      name: 'work-queue',
      everyMs: pollSeconds * 1000,
      atOnce: true,
      work: () => claimAndWork(lane),
      pauses: (outcome) => POLLS_AFTER[outcome],
      listen: (wake) => onNews(platform.sql, 'work', wake),
      log: platform.log,
      randomBytes: platform.randomBytes,
    }),
  );
  return { stop: async () => void (await Promise.all(lanes.map((one) => one.stop()))) };
}

type Lane = Required<Options> & { kinds: WorkKind[] };

/** Outcome of one poll of the queue -> polling intervals until the next. */
const POLLS_AFTER = {
  worked: 0,
  'nothing due': 1,
  // Retrying sooner would only render items again without success; a notification of new work does not end this pause.
  'store away': 10,
};
type Outcome = keyof typeof POLLS_AFTER;

/** Claims and does one item, if one is due. */
async function claimAndWork(lane: Lane): Promise<Outcome> {
  const { platform, kinds, lockSeconds } = lane;
  const now = platform.now();
  const item = await platform.sql.begin(async (tx) => {
    await lockClaims(tx);
    return claimWork(tx, { kinds, now, lockedUntil: secondsAfter(now, lockSeconds) });
  });
  if (!item) return 'nothing due';
  const error = item.attempts > retryLimit ? new Error('the runner died in every attempt') : await attempt(lane, item);
  if (error === null) await finishWork(platform.sql, item, { state: 'done', error: null, now: platform.now() });
  else await settleFailure(platform, item, error);
  return error instanceof StoreError ? 'store away' : 'worked';
}

/** Runs the handler. Returns what it threw, or null. */
async function attempt(lane: Lane, item: ClaimedWork): Promise<Error | null> {
  const handler = lane.handlers[item.kind];
  if (!handler) return new Error(`no handler for ${item.kind}`);
  const deadline = AbortSignal.timeout(lane.lockSeconds * 1000);
  const fields: Record<string, unknown> = {
    work_item: item.id,
    work_kind: item.kind,
    subject_id: item.subject_id,
    customer_id: item.customer_id,
  };
  const context: Context = {
    ...systemContext(lane.platform, `work-${item.id}`),
    note: (more) => Object.assign(fields, more),
  };
  const started = performance.now();
  const error = await Promise.race([handler(context, item, deadline), rejectAt(deadline, lane.lockSeconds)]).then(
    () => null,
    asError,
  );
  const duration = { attempt: item.attempts, duration_ms: Math.round(performance.now() - started) };
  if (error) lane.platform.log.error({ ...fields, ...duration, err: error }, 'work failed');
  else lane.platform.log.info({ ...fields, ...duration }, 'work done');
  return error;
}

async function settleFailure(platform: Platform, item: ClaimedWork, error: Error): Promise<void> {
  const now = platform.now();
  // The row keeps the message for the operator; bounded, since a message may quote its input.
  const text = error.message.slice(0, 2000);
  if (error instanceof StoreError)
    await postponeWork(platform.sql, item, {
      error: text,
      now,
      runAt: secondsAfter(now, STORE_AWAY_SECONDS),
      uncounted: true,
    });
  else if (item.attempts >= retryLimit || isSameFailure(item.error, text)) {
    const { id: work_item, kind: work_kind, subject_id, customer_id, attempts } = item;
    platform.log.error({ work_item, work_kind, subject_id, customer_id, attempts, reason: text }, 'work set aside');
    await finishWork(platform.sql, item, { state: 'failed', error: text, now });
  } else
    await postponeWork(platform.sql, item, {
      error: text,
      now,
      runAt: secondsAfter(now, retryDelaySeconds(item.attempts)),
      uncounted: false,
    });
}

const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)));

const secondsAfter = (from: Date, seconds: number): Date => new Date(from.getTime() + seconds * 1000);

const rejectAt = (deadline: AbortSignal, seconds: number): Promise<never> =>
  new Promise((_resolve, reject) => {
    deadline.addEventListener('abort', () => reject(new Error(`took longer than its ${seconds} s`)), { once: true });
  });

/** Maximum tries of one item. */
const retryLimit = 5;

/** The same failure twice in a row is final: the data is the same, so further tries would only occupy a lane. */
const isSameFailure = (earlier: string | null, now: string): boolean =>
  earlier !== null && withoutFigures(earlier) === withoutFigures(now);

/** Masks numbers: failures that differ only in ids, times or counts are the same. */
const withoutFigures = (error: string): string => error.replaceAll(/\d+(\.\d+)?/g, '#');

/** Seconds until the next try: 5, 20, 80, 320. Reports are wanted soon, but a persistent fault must not keep a core busy. */
const retryDelaySeconds = (failedAttempts: number): number => 5 * 4 ** (failedAttempts - 1);

/** Seconds until the next try of an item that waits for the artifact store: such a failure does not count as a try. */
const STORE_AWAY_SECONDS = 60;

/** Items that are queued or running, for the metrics. */
export const countWork = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countWorkIn(sql, ['queued', 'running']);

/** Items that failed for good and are not deleted yet. */
export const countSetAside = ({ sql }: Pick<Platform, 'sql'>): Promise<number> => countWorkIn(sql, ['failed']);

/** How long an ended item is kept, so that operators can see why a report failed. */
const KEPT_MS = 7 * 24 * 3_600_000;

export const pruneWork = ({ sql, now }: Pick<Platform, 'sql' | 'now'>): Promise<number> =>
  deleteEndedWork(sql, new Date(now().getTime() - KEPT_MS));
