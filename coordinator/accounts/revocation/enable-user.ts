import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { findUserByEmail } from '../queries.ts';
import { setDisabled } from './queries.ts';

/** Lets a disabled user sign in again; sessions from before stay ended. Throws `not_found`. */
export async function enableUser(context: Context, email: string): Promise<{ email: string; company: string }> {
  return context.sql.begin(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw notFound(`A user with the e-mail address ${email}`);
    await setDisabled(tx, user.id, null);
    return { email: user.email, company: user.company_name };
  });
}
