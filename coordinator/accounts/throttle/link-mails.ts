import type { Context } from '../../platform/context.ts';
import { DomainError } from '../../platform/errors.ts';
import { linkPace } from './limits.ts';
import { networkOf } from '../../platform/address-blocks.ts';
import { countAttempt, findPause } from './queries.ts';
import { limiter } from '../../platform/limiter.ts';

/** Counts a request for a password link, for whichever address. Throws `rate_limited` in the pause of the network. */
export async function limitLinks(context: Context): Promise<void> {
  const now = context.now();
  const subject = `links:${networkOf(context.client.address)}`;
  if (await countAttempt(context.sql, { ...linkPace, subject, now })) return;
  const until = (await findPause(context.sql, [subject], now)) ?? now;
  const seconds = Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000));
  throw new DomainError('rate_limited', `Too many password links were requested. Try again in ${seconds} seconds.`, {
    retryAfterSeconds: seconds,
  });
}

/**
 * One mail at a time; the networks that ask take turns. Mails still waiting when the process stops are lost, as is a mail that
 * the server refuses: the person asks again.
 */
const mails = limiter({ atOnce: 1, waiting: 256, waitingEach: 16 });

/** Starts looking up and sending, and does not wait for it. `what` names the mail in the log if it is not sent. */
export function queueMail(context: Context, what: string, send: () => Promise<void>): void {
  mails(send, networkOf(context.client.address)).catch((error: unknown) =>
    context.log.warn({ err: error, request_id: context.requestId }, `${what} was not sent`),
  );
}
