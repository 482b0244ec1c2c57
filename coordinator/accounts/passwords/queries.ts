import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

/** @param endsAt when a generated password expires; null for one that a person chose */
export async function setPasswordHash(
  tx: Queryable,
  userId: string,
  passwordHash: string,
  endsAt: Date | null = null,
): Promise<void> {
  await tx`update user_account set password_hash = ${passwordHash}, password_ends_at = ${endsAt} where id = ${userId}`;
}

/** Does not overwrite a password that was set meanwhile. */
export async function replaceHash(
  tx: Queryable,
  { id, password_hash }: { id: string; password_hash: string },
  next: string,
): Promise<void> {
  await tx`update user_account set password_hash = ${next} where id = ${id} and password_hash = ${password_hash}`;
}

/** Held until the transaction ends: requests for links of one user come one after the other. */
export async function lockUser(tx: Queryable, userId: string): Promise<void> {
  await tx`select from user_account where id = ${userId} for update`;
}

export async function insertLink(
  tx: Queryable,
  link: { token_hash: Buffer; user_id: string; created_at: Date; expires_at: Date },
): Promise<void> {
  await tx`insert into password_link ${tx(link)}`;
}

export async function countLinks(sql: Queryable, userId: string, since: Date): Promise<number> {
  const row = one(
    await sql<{ count: number }[]>`
    select count(*)::int as count from password_link where user_id = ${userId} and created_at > ${since}`,
  );
  return row.count;
}

/** The user of that link. Null if the link is unknown, used or expired, or the user is disabled. */
export async function findLinkUser(sql: Queryable, hash: Buffer, now: Date): Promise<string | null> {
  const row = maybeOne(
    await sql<{ user_id: string }[]>`
    select l.user_id from password_link l join user_account u on u.id = l.user_id
    where l.token_hash = ${hash} and l.used_at is null and l.expires_at > ${now} and u.disabled_at is null`,
  );
  return row?.user_id ?? null;
}

/** True for one caller only. */
export async function useLink(tx: Queryable, hash: Buffer, now: Date): Promise<boolean> {
  const used = await tx`
    update password_link set used_at = ${now}
    where token_hash = ${hash} and used_at is null and expires_at > ${now}`;
  return used.count === 1;
}

export async function voidLinks(tx: Queryable, userId: string, now: Date): Promise<void> {
  await tx`update password_link set used_at = ${now} where user_id = ${userId} and used_at is null`;
}

export async function deleteExpiredLinks(sql: Queryable, before: Date): Promise<number> {
  return (await sql`delete from password_link where expires_at < ${before}`).count;
}
