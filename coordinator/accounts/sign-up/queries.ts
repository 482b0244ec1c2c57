import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

export interface SignUpRow {
  token_hash: Buffer;
  email: string;
  company: string;
  first_name: string;
  last_name: string;
  created_at: Date;
  expires_at: Date;
}

export async function insertSignUp(tx: Queryable, row: SignUpRow): Promise<void> {
  await tx`insert into sign_up ${tx(row)}`;
}

export async function countSignUps(sql: Queryable, email: string, since: Date): Promise<number> {
  const row = one(
    await sql<{ count: number }[]>`
    select count(*)::int as count from sign_up where lower(email) = lower(${email}) and created_at > ${since}`,
  );
  return row.count;
}

export async function findSignUp(sql: Queryable, hash: Buffer, now: Date): Promise<SignUpRow | null> {
  return (
    maybeOne(await sql<SignUpRow[]>`select * from sign_up where token_hash = ${hash} and expires_at > ${now}`) ?? null
  );
}

/** Deletes all sign-ups of that address: its owner has chosen one. True for one caller only. */
export async function takeSignUps(tx: Queryable, email: string): Promise<boolean> {
  return (await tx`delete from sign_up where lower(email) = lower(${email})`).count > 0;
}

export async function deleteExpiredSignUps(sql: Queryable, now: Date): Promise<number> {
  return (await sql`delete from sign_up where expires_at <= ${now}`).count;
}
