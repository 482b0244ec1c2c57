import type { Context } from '../../platform/context.ts';
import { invalidField, type DomainError } from '../../platform/errors.ts';
import { insertUserWithCompany } from '../create-user.ts';
import { hashPassword } from '../password.ts';
import { refuseWeakPassword } from '../passwords/refuse-weak-password.ts';
import { readToken } from '../programs/opaque-token.ts';
import { findCustomerByName, lockAccounts } from '../queries.ts';
import { queueHashing } from '../throttle/hashing-queue.ts';
import { networkOf } from '../../platform/address-blocks.ts';
import { findSignUp, takeSignUps, type SignUpRow } from './queries.ts';

/** More companies of one name than there will ever be. */
const MOST_OF_A_NAME = 1000;

/** The sign-up that the link belongs to; null if the link is unknown, used or expired. */
export async function readSignUp({ sql, now }: Context, token: string): Promise<SignUpRow | null> {
  const hash = readToken('password_link', token);
  return hash === null ? null : findSignUp(sql, hash, now());
}

/**
 * Creates the account of a link: a new company of the tier basic and its first administrator. An existing company of that name is
 * never joined: the new one gets a number. Throws a validation error of `token` or `password`.
 */
export async function completeSignUp(
  context: Context,
  { token, password }: { token: string; password: string },
): Promise<{ email: string }> {
  const asked = await readSignUp(context, token);
  if (!asked) throw notGood();
  const { email, first_name: firstName, last_name: lastName } = asked;
  await refuseWeakPassword('password', password, asked);
  const line = { known: false, line: networkOf(context.client.address) };
  const passwordHash = await queueHashing(line, () => hashPassword(password, context.randomBytes));
  await context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    if (!(await takeSignUps(tx, email))) throw notGood();
    let company = asked.company;
    for (let number = 2; number < MOST_OF_A_NAME && (await findCustomerByName(tx, company)); number += 1)
      company = `${asked.company} ${number}`;
    const user = { email, firstName, lastName, company, role: 'customer_admin', tier: null, passwordHash } as const;
    await insertUserWithCompany(context, tx, user);
  });
  return { email };
}

const notGood = (): DomainError => invalidField('token', 'is unknown, used or expired. Sign up again.');
