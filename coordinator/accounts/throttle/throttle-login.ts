import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { networkOf } from './network-of.ts';
import { countAttempt, deleteOldWindows, forgetSubject, forgiveOne } from './queries.ts';

const MINUTE_MS = 60_000;
export const WINDOW_MINUTES = 15;
/** Wrong passwords per window. An office behind one address shares the second. */
export const ACCOUNT_LIMIT = 10;
export const NETWORK_LIMIT = 100;

/** Counts the attempt against account and network. Throws `rate_limited` where either has had too many. */
export async function throttleLogin(context: Context, email: string): Promise<void> {
  const now = context.now();
  const common = {
    now,
    windowStart: new Date(now.getTime() - WINDOW_MINUTES * MINUTE_MS),
    blockedUntil: new Date(now.getTime() + WINDOW_MINUTES * MINUTE_MS),
  };
  const { account, network } = subjectsOf(context, email);
  const byNetwork = await countAttempt(context.sql, { ...common, subject: network, limit: NETWORK_LIMIT });
  // A blocked network locks no accounts and writes no rows for addresses it makes up.
  refuseUntil(byNetwork, now);
  refuseUntil(await countAttempt(context.sql, { ...common, subject: account, limit: ACCOUNT_LIMIT }), now);
}

function refuseUntil(blockedUntil: Date | null, now: Date): void {
  const seconds = Math.ceil(((blockedUntil?.getTime() ?? 0) - now.getTime()) / 1000);
  if (seconds <= 0) return;
  throw new DomainError('rate_limited', `Too many sign-ins that failed. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/** After the right password: the account starts anew, the network gets its one attempt back. */
export async function forgiveLogin(context: Context, email: string): Promise<void> {
  const { account, network } = subjectsOf(context, email);
  await forgetSubject(context.sql, account);
  await forgiveOne(context.sql, network);
}

/** Deletes windows a day old; returns how many. */
export function pruneThrottle(context: Context): Promise<number> {
  const now = context.now();
  return deleteOldWindows(context.sql, new Date(now.getTime() - 24 * 60 * MINUTE_MS), now);
}

const subjectsOf = (context: Context, email: string) => ({
  account: `account:${email.toLowerCase()}`,
  network: `network:${networkOf(context.client.address)}`,
});
