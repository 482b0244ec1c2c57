import type { Role } from '../contract/user.ts';
import type { Queryable } from '../platform/db/client.ts';
import { maybeOne, one } from '../platform/db/rows.ts';

export type KeyPurpose = 'login' | 'job';

export interface SigningKeyRow {
  kid: string;
  purpose: KeyPurpose;
  secret: Buffer;
  expires_at: Date | null;
}

export interface UserRow {
  id: string;
  customer_id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  password_hash: string;
  /** when a generated password expires; null if a person chose it */
  password_ends_at: Date | null;
  session_epoch: number;
  disabled_at: Date | null;
  company_name: string;
  /** enrolled: a code is asked for after the password */
  has_second_factor: boolean;
  /** its company requires one of everybody */
  requires_second_factor: boolean;
}

/** What decides whether a job token still gives access to its job. */
export interface JobTokenRow {
  customer_id: string;
  token_id: string;
  token_revoked_at: Date | null;
  deleted_at: Date | null;
}

export async function findSigningKey(sql: Queryable, kid: string): Promise<SigningKeyRow | null> {
  const row = maybeOne(
    await sql<SigningKeyRow[]>`
    select kid, purpose, secret, expires_at from signing_key where kid = ${kid}`,
  );
  return row ?? null;
}

/** Which of these kids exist. */
export async function selectKnownKids(sql: Queryable, kids: string[]): Promise<Set<string>> {
  const rows = await sql<{ kid: string }[]>`select kid from signing_key where kid = any(${kids})`;
  return new Set(rows.map(({ kid }) => kid));
}

export async function findCurrentSigningKey(sql: Queryable, purpose: KeyPurpose): Promise<SigningKeyRow | null> {
  const row = maybeOne(
    await sql<SigningKeyRow[]>`
    select kid, purpose, secret, expires_at from signing_key where purpose = ${purpose} and retired_at is null`,
  );
  return row ?? null;
}

export interface NewKey {
  kid: string;
  purpose: KeyPurpose;
  secret: Buffer;
  created_at: Date;
}

/** Does nothing if the purpose has a current key. */
export async function insertSigningKey(sql: Queryable, key: NewKey): Promise<void> {
  await sql`
    insert into signing_key ${sql(key)}
    on conflict (purpose) where retired_at is null do nothing`;
}

export async function retireSigningKey(sql: Queryable, purpose: KeyPurpose, now: Date, expiresAt: Date): Promise<void> {
  await sql`
    update signing_key
    set retired_at = ${now}, expires_at = ${expiresAt}
    where purpose = ${purpose} and retired_at is null`;
}

/** Ends the current key and those retired before, at the epoch: that is in the past on every clock, also on one behind ours. */
export async function endSigningKeys(sql: Queryable, purpose: KeyPurpose, now: Date): Promise<void> {
  await sql`
    update signing_key
    set retired_at = coalesce(retired_at, ${now}), expires_at = 'epoch'
    where purpose = ${purpose}`;
}

/** When the last job token handed out ends; null if there are no jobs. */
export async function lastJobExpiry(sql: Queryable): Promise<Date | null> {
  const row = one(await sql<{ last: Date | null }[]>`select max(expires_at) as last from job where deleted_at is null`);
  return row.last;
}

export async function findUserByEmail(sql: Queryable, email: string): Promise<UserRow | null> {
  const row = maybeOne(await sql<UserRow[]>`${selectUser(sql)} where lower(u.email) = lower(${email})`);
  return row ?? null;
}

export async function findUser(sql: Queryable, id: string): Promise<UserRow | null> {
  const row = maybeOne(await sql<UserRow[]>`${selectUser(sql)} where u.id = ${id}`);
  return row ?? null;
}

/**
 * Locks the user as it was read until the transaction ends, so that anything that ends all its sessions waits. False if they were
 * ended since, or the user was disabled.
 */
export async function holdUser(tx: Queryable, { id, session_epoch }: UserRow): Promise<boolean> {
  const held = await tx`
    select from user_account where id = ${id} and session_epoch = ${session_epoch} and disabled_at is null for share`;
  return held.length === 1;
}

const selectUser = (sql: Queryable) => sql`
  select u.id, u.customer_id, u.email, u.first_name, u.last_name, u.role, u.password_hash, u.password_ends_at,
    u.session_epoch, u.disabled_at, c.name as company_name, c.requires_second_factor,
    exists (select from second_factor f where f.user_id = u.id and f.enrolled_at is not null) as has_second_factor
  from user_account u join customer c on c.id = u.customer_id`;

export async function hasUsers(sql: Queryable): Promise<boolean> {
  const row = one(await sql<{ found: boolean }[]>`select exists (select from user_account) as found`);
  return row.found;
}

export async function findOldestAdmin(sql: Queryable): Promise<string | null> {
  const row = maybeOne(
    await sql<{ email: string }[]>`
    select email from user_account where role = 'root_admin' and disabled_at is null order by created_at, id limit 1`,
  );
  return row?.email ?? null;
}

export async function findCustomerByName(sql: Queryable, name: string): Promise<{ id: string } | null> {
  const row = maybeOne(await sql<{ id: string }[]>`select id from customer where lower(name) = lower(${name})`);
  return row ?? null;
}

export async function insertCustomer(
  sql: Queryable,
  customer: { id: string; name: string; created_at: Date },
): Promise<void> {
  await sql`insert into customer ${sql(customer)}`;
}

interface NewUser {
  id: string;
  customer_id: string;
  email: string;
  first_name: string;
  last_name: string;
  role: Role;
  password_hash: string;
  password_ends_at: Date | null;
  created_at: Date;
}

/** False if a user has that e-mail address already. */
export async function insertUser(sql: Queryable, user: NewUser): Promise<boolean> {
  const rows = await sql`
    insert into user_account ${sql(user)}
    on conflict (lower(email)) do nothing
    returning id`;
  return rows.length === 1;
}

/** Serialises creating users and customers, changes to people and key rotation. Held until the transaction ends. */
export async function lockAccounts(sql: Queryable): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('accounts'))`;
}

export async function findJobToken(sql: Queryable, jobId: string): Promise<JobTokenRow | null> {
  const row = maybeOne(
    await sql<JobTokenRow[]>`
    select customer_id, token_id, token_revoked_at, deleted_at from job where id = ${jobId}`,
  );
  return row ?? null;
}

export interface SessionRow {
  id: string;
  user_id: string;
  generation: number;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
}

const selectSession = (sql: Queryable, id: string) => sql`
  select id, user_id, generation, created_at, expires_at, ended_at from login_session where id = ${id}`;

export async function findSession(sql: Queryable, id: string): Promise<SessionRow | null> {
  return maybeOne(await sql<SessionRow[]>`${selectSession(sql, id)}`) ?? null;
}

/** Held until the transaction ends: renewals of one session come one after the other. */
export async function lockSession(tx: Queryable, id: string): Promise<SessionRow | null> {
  return maybeOne(await tx<SessionRow[]>`${selectSession(tx, id)} for update`) ?? null;
}

export async function insertSession(
  tx: Queryable,
  session: Pick<SessionRow, 'id' | 'user_id' | 'created_at' | 'expires_at'>,
): Promise<void> {
  await tx`insert into login_session ${tx({ ...session, refreshed_at: session.created_at })}`;
}

/** Keeps the `most` refreshed last, so that a program that signs in every minute does not fill the table. */
export async function keepNewestSessions(tx: Queryable, userId: string, most: number): Promise<void> {
  await tx`
    delete from login_session where user_id = ${userId} and id in (
      select id from login_session where user_id = ${userId} order by refreshed_at desc, id desc offset ${most})`;
}

export async function advanceSession(
  tx: Queryable,
  { id, now, expiresAt }: { id: string; now: Date; expiresAt: Date },
): Promise<void> {
  await tx`
    update login_session set generation = generation + 1, refreshed_at = ${now}, expires_at = ${expiresAt}
    where id = ${id}`;
}

/** False if it had ended before. */
export async function endSession(tx: Queryable, id: string, now: Date): Promise<boolean> {
  return (await tx`update login_session set ended_at = ${now} where id = ${id} and ended_at is null`).count === 1;
}

/** Rows whose tokens have all expired, ended or not. */
export async function deleteExpiredSessions(sql: Queryable, now: Date): Promise<number> {
  return (await sql`delete from login_session where expires_at <= ${now}`).count;
}
