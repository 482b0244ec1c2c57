import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { recordEvent } from '../audit/record-event.ts';
import { makeToken } from '../programs/opaque-token.ts';
import { type UserRow, findUserByEmail } from '../queries.ts';
import { insertLink } from './queries.ts';
import { DomainError, notFound } from '../../platform/errors.ts';

const HOUR_MS = 3_600_000;

/** Hours that a link is valid: for a forgotten password, and for a new member, who may be on holiday. */
export const linkHours = { forgotten: 1, invited: 7 * 24 } as const;

/**
 * Makes a link that sets the user's password once, within the caller's transaction. Its page sends
 * `Referrer-Policy: no-referrer`, and logs name the route and never the path; opening it changes nothing, so a mail scanner that
 * follows it does not use it up.
 */
export async function makeLink(
  context: Context,
  tx: Queryable,
  { user, hours, by }: { user: Pick<UserRow, 'id' | 'email' | 'customer_id'>; hours: number; by: string },
): Promise<string> {
  const { token, hash } = makeToken('password_link', context.randomBytes);
  const now = context.now();
  const expires_at = new Date(now.getTime() + hours * HOUR_MS);
  await insertLink(tx, { token_hash: hash, user_id: user.id, created_at: now, expires_at });
  const whose = { customerId: user.customer_id, subject: user.email };
  await recordEvent(context, tx, { ...whose, action: 'password_link_sent', detail: { by, hours } });
  const { publicUrl, port } = context.config;
  return `${publicUrl ?? `http://localhost:${port}`}/reset/${token}`;
}

/** A link for the operator to pass on, if no mail is set up or none arrives. Throws `not_found`, `state` for a disabled user. */
export async function makeResetLink(context: Context, email: string): Promise<{ email: string; link: string }> {
  if (context.actor.kind !== 'system') throw new DomainError('forbidden', 'Links are made by the operator.');
  return context.sql.begin(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw notFound(`A user with the e-mail address ${email}`);
    if (user.disabled_at) throw new DomainError('state', `${user.email} is disabled. Enable the user first.`);
    return {
      email: user.email,
      link: await makeLink(context, tx, { user, hours: linkHours.forgotten, by: 'operator' }),
    };
  });
}
