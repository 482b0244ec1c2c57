import type { Role, Tier } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { recordEvent } from './audit/record-event.ts';
import { endOfGenerated } from './generated-password.ts';
import { hashPassword } from './password.ts';
import { refuseWeakPassword } from './passwords/refuse-weak-password.ts';
import { findCustomerByName, insertCustomer, insertUser, lockAccounts } from './queries.ts';
import { findStanding, insertSubscription } from './standing/queries.ts';

interface NewUserInput {
  email: string;
  password: string;
  /** Generated for the user: it is valid for some days only. */
  isGenerated?: boolean;
  company: string;
  role: Role;
  /** Tier of a company that this creates; null leaves an existing company as it is and makes a new one basic. */
  tier: Tier | null;
  firstName: string;
  lastName: string;
}

interface HashedPassword {
  passwordHash: string;
  passwordEndsAt?: Date | null;
}

/** Creates a user, and the company if new. Throws `conflict` for a known address, `state` if the company has another tier. */
export async function createUser(
  context: Context,
  input: NewUserInput,
): Promise<{ userId: string; customerId: string }> {
  if (context.actor.kind !== 'system') throw new DomainError('forbidden', 'Users are created by the operator.');
  await refuseWeakPassword('password', input.password, input);
  // Outside the transaction: 50 ms of hashing must hold no lock.
  const passwordHash = await hashPassword(input.password, context.randomBytes);
  return context.sql.begin(async (tx) => {
    await lockAccounts(tx);
    const passwordEndsAt = input.isGenerated === true ? endOfGenerated(context.now()) : null;
    return insertUserWithCompany(context, tx, { ...input, passwordHash, passwordEndsAt });
  });
}

/** Within the caller's transaction, which holds the accounts lock. */
export async function insertUserWithCompany(
  context: Context,
  tx: Queryable,
  input: Omit<NewUserInput, 'password' | 'isGenerated'> & HashedPassword,
): Promise<{ userId: string; customerId: string }> {
  const customerId = await customerOf(context, tx, input);
  return { userId: await insertUserOf(context, tx, { ...input, customerId }), customerId };
}

/** Creates a user of an existing customer. Throws `conflict` for a known address. */
export async function insertUserOf(
  context: Context,
  tx: Queryable,
  input: Pick<NewUserInput, 'email' | 'role' | 'firstName' | 'lastName'> & HashedPassword & { customerId: string },
): Promise<string> {
  const id = context.newId();
  const { customerId, firstName, lastName, role, passwordHash, passwordEndsAt = null } = input;
  const email = input.email.toLowerCase();
  const inserted = await insertUser(tx, {
    id,
    customer_id: customerId,
    email,
    first_name: firstName,
    last_name: lastName,
    role,
    password_hash: passwordHash,
    password_ends_at: passwordEndsAt,
    created_at: context.now(),
  });
  if (!inserted) throw new DomainError('conflict', `A user with the e-mail address ${input.email} exists.`);
  await recordEvent(context, tx, { action: 'user_created', customerId, subject: email, detail: { role } });
  return id;
}

async function customerOf(
  context: Context,
  tx: Queryable,
  input: { company: string; tier: Tier | null },
): Promise<string> {
  const known = await findCustomerByName(tx, input.company);
  if (known) {
    const standing = await findStanding(tx, known.id, context.now());
    if (input.tier !== null && standing?.tier !== input.tier) {
      throw new DomainError(
        'state',
        `The company ${input.company} has the tier ${standing?.tier}. Omit the tier, or give this one.`,
      );
    }
    return known.id;
  }
  return insertCompany(context, tx, input);
}

/** Within the caller's transaction, which holds the accounts lock and has checked that the name is free. */
export async function insertCompany(
  context: Context,
  tx: Queryable,
  input: { company: string; tier: Tier | null },
): Promise<string> {
  const now = context.now();
  const id = context.newId();
  await insertCustomer(tx, { id, name: input.company, created_at: now });
  const subscription = {
    id: context.newId(),
    customer_id: id,
    tier: input.tier ?? 'basic',
    starts_at: now,
    ends_at: null,
    created_at: now,
  };
  await insertSubscription(tx, subscription);
  return id;
}
