import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { findUserByEmail } from '../queries.ts';
import { linkHours, makeLink } from './make-link.ts';

/** A link for the operator to hand on, where no mail is set up or none arrives. Throws `not_found`, `state` for a disabled user. */
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
