import type { Context } from '../../platform/context.ts';
import { createMailer, type SendMail } from '../../platform/mail/create-mailer.ts';
import { findUserByEmail, type UserRow } from '../queries.ts';
import { limitLinks, queueMail } from '../throttle/link-mails.ts';
import { linkHours, makeLink } from './make-link.ts';
import { countLinks, lockUser } from './queries.ts';
import { linkMail } from './link-mail.ts';

const HOUR_MS = 3_600_000;
const MOST_LINKS_AN_HOUR = 3;

/**
 * Starts sending a link without waiting for it: nothing is looked up before the answer, so the answer is the same, and as fast,
 * for addresses that have no account. Throws `rate_limited` for a network that asks too often.
 */
export async function forgotPassword(context: Context, email: string): Promise<Record<string, never>> {
  await limitLinks(context);
  const send = createMailer(context.config);
  if (send === null) {
    context.log.info(
      { request_id: context.requestId },
      'a password link was requested, but mail is not set up (SMTP_URL, MAIL_FROM); `user reset-link` prints one',
    );
    return {};
  }
  queueMail(context, 'a password link', () => sendLink(context, send, email));
  return {};
}

async function sendLink(context: Context, send: SendMail, email: string): Promise<void> {
  const user = await findUserByEmail(context.sql, email);
  if (!user || user.disabled_at) return;
  const link = await newLink(context, user);
  if (link === null) return;
  await send(linkMail(user.email, { link, hours: linkHours.forgotten, reason: 'forgotten' }));
}

/** Null if the account has reached its limit of links for the last hour. */
function newLink(context: Context, user: UserRow): Promise<string | null> {
  return context.sql.begin(async (tx) => {
    await lockUser(tx, user.id);
    const since = new Date(context.now().getTime() - HOUR_MS);
    if ((await countLinks(tx, user.id, since)) >= MOST_LINKS_AN_HOUR) return null;
    return makeLink(context, tx, { user, hours: linkHours.forgotten, by: 'mail' });
  });
}
