import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { linkPace } from './limits.ts';
import { networkOf } from '../../platform/address-blocks.ts';
import { countAttempt, findPause } from './queries.ts';

/** Counts a request for a password link, whosever address it names. Throws `rate_limited` in the pause of the network. */
export async function limitLinks(context: Context): Promise<void> {
  const now = context.now();
  const subject = `links:${networkOf(context.client.address)}`;
  if (await countAttempt(context.sql, { ...linkPace, subject, now })) return;
  const until = (await findPause(context.sql, [subject], now)) ?? now;
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  throw new DomainError('rate_limited', `Too many password links were asked for. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}
