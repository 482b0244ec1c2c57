import type { CurrentUser } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import { notFound } from '../platform/errors.ts';
import { findUser } from './queries.ts';

/** The person behind the credential. */
export async function readCurrentUser(context: Context): Promise<CurrentUser> {
  const user = context.actor.kind === 'user' ? await findUser(context.sql, context.actor.userId) : null;
  if (!user) throw notFound('The user');
  const { email, first_name, last_name, company_name } = user;
  return { email, first_name, last_name, company_name };
}
