import { setTimeout as delay } from 'node:timers/promises';
import type { Context, Platform } from '../platform/context.ts';
import { isDatabaseError } from '../platform/db/error-kind.ts';
import { DomainError, notFound } from '../platform/errors.ts';
import { staleEpoch, isHash, wrongSecret } from './session.ts';
import { leaseFrom } from './change-task.ts';
import { findHolder, renewLeases, type BeatRow, type RenewedRow } from './queries/leases.ts';

/** Rows in one statement; a batch of this size takes a few milliseconds. */
const MOST_ROWS = 1000;

/** Beats that can wait; beyond this, callers are told to retry. A beat waits for one statement, so this is seconds of work. */
const MOST_WAITING = 20_000;

interface Waiting {
  beat: BeatRow;
  answer: Deferred[];
}

interface Deferred {
  resolve: (row: RenewedRow | undefined) => void;
  reject: (error: unknown) => void;
}

/** Resolves once the beat is durable, to undefined if no lease was renewed. Null if too many beats wait. */
export type RenewLease = (beat: BeatRow) => Promise<RenewedRow | undefined> | null;

/**
 * Writes the beats of all requests that arrive while a statement runs with the next statement. One fsync then serves
 * hundreds of nodes, and "200 means durable" holds for each. Statements run one at a time, so that two never wait for each
 * other's rows.
 */
export function createBeatBatch({ sql, now }: Pick<Platform, 'sql' | 'now'>): RenewLease {
  let waiting = new Map<string, Waiting>();
  let running = false;

  const write = async (batch: Waiting[]): Promise<void> => {
    try {
      const at = now();
      const rows = await renewLeases(
        sql,
        batch.map(({ beat }) => beat),
        at,
        leaseFrom(at),
      );
      const renewed = new Map(rows.map((row) => [row.place, row]));
      for (const [place, { answer }] of batch.entries()) for (const { resolve } of answer) resolve(renewed.get(place));
    } catch (error) {
      const half = Math.ceil(batch.length / 2);
      // Only the beat with the refused value may fail, not the others in its batch.
      if (batch.length > 1 && isDatabaseError(error, 'value refused')) {
        await write(batch.slice(0, half));
        await write(batch.slice(half));
      } else {
        for (const { answer } of batch) for (const { reject } of answer) reject(error);
      }
    }
  };

  const run = async (): Promise<void> => {
    while (waiting.size > 0) {
      const due = [...waiting.entries()].slice(0, MOST_ROWS);
      if (due.length === waiting.size) waiting = new Map();
      else for (const [key] of due) waiting.delete(key);
      await write(due.map(([, entry]) => entry));
    }
    running = false;
  };

  return (beat) => {
    if (waiting.size >= MOST_WAITING) return null;
    return new Promise((resolve, reject) => {
      const key = keyOf(beat);
      const entry = waiting.get(key) ?? { beat, answer: [] };
      // the newest phase of the same session counts
      entry.beat = beat;
      entry.answer.push({ resolve, reject });
      waiting.set(key, entry);
      if (running) return;
      running = true;
      // Beats that arrive in the same turn of the event loop join the first statement.
      setImmediate(() => void run());
    });
  };
}

/** Includes the secret: a beat that pretends to be another node's is never merged with that node's. */
const keyOf = (beat: BeatRow): string => `${beat.taskId} ${beat.epoch} ${beat.jobId} ${beat.secretHash}`;

/** Another call of the node can lock its lease during a transaction; the beat is retried this often, at this interval. */
const TRIES = 20;
const PAUSE_MS = 100;

/**
 * The renewed lease. Throws `not_found`, 409 STALE_EPOCH, 403 TASK_SECRET_INVALID, `unavailable` after two seconds or if too
 * many beats wait.
 */
export async function renewOrRefuse(context: Context, row: BeatRow, renewLease: RenewLease): Promise<RenewedRow> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (tries > 0) await delay(PAUSE_MS);
    const renewing = renewLease(row);
    if (renewing === null) break;
    const renewed = await renewing;
    if (renewed) return renewed;
    const holder = await findHolder(context.sql, { id: row.taskId, jobId: row.jobId });
    if (holder === undefined) throw notFound('Task');
    if (holder.epoch !== row.epoch) throw staleEpoch(holder.epoch);
    if (!isHash(holder.secret_hash, row.secretHash)) throw wrongSecret();
  }
  throw new DomainError('unavailable', 'The beat could not be written in time.', { retryAfterSeconds: 1 });
}
