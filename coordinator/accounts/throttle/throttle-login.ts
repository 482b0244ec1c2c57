import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { DomainError } from '../../platform/errors.ts';
import { KNOWN_DAYS, MOST_ROWS, paces } from './limits.ts';
import {
  countAttempt,
  deleteOldWindows,
  deletePlaces,
  findPause,
  forgetSubject,
  forgiveOne,
  keepNewestPlaces,
  rememberPlace,
} from './queries.ts';
import type { Subject, Visitor } from './visitor.ts';

const DAY_MS = 24 * 3_600_000;
const MOST_PLACES = 16;

/** What one attempt has counted, and the pauses it set. */
export type Counted = (Subject & { pause: Date | null })[];

/** Throws `rate_limited` while a pause of the visitor runs; counts nothing, writes nothing. */
export async function refuseInPause(context: Context, { subjects }: Visitor): Promise<void> {
  const now = context.now();
  const names = subjects.map(({ subject }) => subject);
  const until = await findPause(context.sql, names, now);
  if (until) throw refused(until, now);
}

/** Counts an attempt about to be made. Throws `rate_limited`, and counts nothing, if another attempt set a pause meanwhile. */
export function countLogin(context: Context, { subjects }: Visitor): Promise<Counted> {
  const now = context.now();
  return context.sql.begin(async (tx) => {
    const counted: Counted = [];
    for (const { kind, subject } of subjects) {
      const attempt = await countAttempt(tx, { ...paces[kind], subject, now });
      if (!attempt) throw refused((await findPause(tx, [subject], now)) ?? now, now);
      counted.push({ kind, subject, pause: attempt.blocked_until });
    }
    return counted;
  });
}

function refused(until: Date, now: Date): DomainError {
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  return new DomainError('rate_limited', `Too many failed sign-ins. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/** On success: resets this visitor's own counts, takes one attempt back from the shared ones, and remembers the network. */
export async function forgiveLogin(
  context: Context,
  tx: Queryable,
  { visitor, counted, userId }: { visitor: Visitor; counted: Counted; userId: string },
): Promise<void> {
  for (const { kind, subject, pause } of counted) {
    if (kind === 'pair' || kind === 'device') await forgetSubject(tx, subject);
    else await forgiveOne(tx, subject, pause);
  }
  const place = { userId, network: visitor.network, now: context.now() };
  if (await rememberPlace(tx, place)) await keepNewestPlaces(tx, userId, MOST_PLACES);
}

/**
 * After a right password to which a code is still owed: takes back this attempt and nothing else, so that somebody who knows the
 * password cannot wipe out the count of wrong codes with it.
 */
export async function takeBackLogin({ sql }: Context, counted: Counted): Promise<void> {
  await sql.begin(async (tx) => {
    for (const { subject, pause } of counted) await forgiveOne(tx, subject, pause);
  });
}

/** Deletes counts a day old, counts beyond the most that are kept, and networks that are no longer known; returns how many. */
export async function pruneThrottle(context: Context): Promise<number> {
  const now = context.now();
  const before = new Date(now.getTime() - DAY_MS);
  const windows = await deleteOldWindows(context.sql, { before, now, most: MOST_ROWS });
  return windows + (await deletePlaces(context.sql, { before: new Date(now.getTime() - KNOWN_DAYS * DAY_MS) }));
}
