import { networkOf } from '../../platform/address-blocks.ts';
import type { Context } from '../../platform/context.ts';
import { limiter } from '../../platform/limiter.ts';

/**
 * One mail at a time; the networks that ask take turns. What waits when the process stops is lost, as is a mail that the
 * server does not take: the person asks again.
 */
const mails = limiter({ atOnce: 1, waiting: 256, waitingEach: 16 });

/** Begins to look up and to send, and does not wait for it. `what` is the mail's name in the log, should it not be sent. */
export function queueMail(context: Context, what: string, send: () => Promise<void>): void {
  mails(send, networkOf(context.client.address)).catch((error: unknown) =>
    context.log.warn({ err: error, request_id: context.requestId }, `${what} was not sent`),
  );
}
