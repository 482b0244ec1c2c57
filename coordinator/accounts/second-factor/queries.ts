import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

interface FactorRow {
  secret: Buffer;
  /** null if shown but not yet confirmed by a code */
  enrolled_at: Date | null;
}

export async function findFactor(sql: Queryable, userId: string): Promise<FactorRow | null> {
  const rows = await sql<FactorRow[]>`select secret, enrolled_at from second_factor where user_id = ${userId}`;
  return maybeOne(rows) ?? null;
}

/** Stores a secret, replacing one that was not confirmed. False if a factor is enrolled. */
export async function proposeFactor(
  sql: Queryable,
  factor: { user_id: string; secret: Buffer; created_at: Date },
): Promise<boolean> {
  const rows = await sql`
    insert into second_factor ${sql(factor)}
    on conflict (user_id) do update set secret = excluded.secret, created_at = excluded.created_at
    where second_factor.enrolled_at is null
    returning user_id`;
  return rows.length === 1;
}

/** Only if the secret is still the one that the code was checked against. True for one caller only. */
export async function enrolFactor(
  tx: Queryable,
  { userId, secret, step, now }: { userId: string; secret: Buffer; step: number; now: Date },
): Promise<boolean> {
  const enrolled = await tx`
    update second_factor set enrolled_at = ${now}, last_step = ${step}
    where user_id = ${userId} and secret = ${secret} and enrolled_at is null`;
  return enrolled.count === 1;
}

/** True for one caller only, and never again for this step or one before it. */
export async function takeStep(tx: Queryable, userId: string, step: number): Promise<boolean> {
  const taken = await tx`
    update second_factor set last_step = ${step}
    where user_id = ${userId} and enrolled_at is not null and last_step < ${step}`;
  return taken.count === 1;
}

/** True for one caller only. */
export async function takeRecoveryCode(tx: Queryable, userId: string, hash: Buffer, now: Date): Promise<boolean> {
  const taken = await tx`
    update recovery_code set used_at = ${now}
    where user_id = ${userId} and code_hash = ${hash} and used_at is null`;
  return taken.count === 1;
}

export async function countRecoveryCodes(sql: Queryable, userId: string): Promise<number> {
  const row = one(
    await sql<{ left: number }[]>`
    select count(*)::int as left from recovery_code where user_id = ${userId} and used_at is null`,
  );
  return row.left;
}

/** Earlier codes, used or not, stop working. */
export async function replaceRecoveryCodes(tx: Queryable, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await tx`delete from recovery_code where user_id = ${userId}`;
  await tx`insert into recovery_code ${tx(hashes.map((code_hash) => ({ user_id: userId, code_hash })))}`;
}

/** With its recovery codes. False if none was enrolled; a proposal is deleted too. */
export async function deleteFactor(tx: Queryable, userId: string): Promise<boolean> {
  const rows = await tx<{ enrolled: boolean }[]>`
    delete from second_factor where user_id = ${userId} returning enrolled_at is not null as enrolled`;
  return maybeOne(rows)?.enrolled ?? false;
}

export async function setFactorRule(tx: Queryable, customerId: string, isRequired: boolean): Promise<void> {
  await tx`update customer set requires_second_factor = ${isRequired} where id = ${customerId}`;
}

/** People of the customer who have not enrolled a factor. */
export async function selectUsersWithoutFactor(tx: Queryable, customerId: string): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select u.id from user_account u
    where u.customer_id = ${customerId}
      and not exists (select from second_factor f where f.user_id = u.id and f.enrolled_at is not null)
    order by u.id`;
  return rows.map(({ id }) => id);
}
