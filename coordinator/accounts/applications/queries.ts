import type { Fragment } from 'postgres';
import type { ApplicationColumn } from '../../contract/application.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

export interface TokenRow {
  id: string;
  token_prefix: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
}

export interface ApplicationRow {
  id: string;
  customer_id: string;
  name: string;
  description: string | null;
  client_id: string;
  secret_hash: Buffer;
  created_at: Date;
  updated_at: Date;
  /** the person who made it or took it over; null: unknown, administrators manage it */
  owner_id: string | null;
}

/** Identifies an application; it may be any customer's if `customerId` is null. */
export interface ApplicationKey {
  id: string | null;
  name: string | null;
  customerId: string | null;
}

export async function countApplications(tx: Queryable, customerId: string): Promise<number> {
  return one(await tx<{ n: number }[]>`select count(*)::int as n from application where customer_id = ${customerId}`).n;
}

/** False if the company has an application of that name. */
export async function insertApplication(tx: Queryable, row: ApplicationRow): Promise<boolean> {
  const rows = await tx`
    insert into application ${tx(row)}
    on conflict (customer_id, lower(name)) do nothing
    returning id`;
  return rows.length === 1;
}

export async function findApplication(sql: Queryable, key: ApplicationKey): Promise<ApplicationRow | null> {
  return maybeOne(await sql<ApplicationRow[]>`select * from application where ${isKey(sql, key)}`) ?? null;
}

/** Held until the transaction ends. */
export async function lockApplication(tx: Queryable, key: ApplicationKey): Promise<ApplicationRow | null> {
  return maybeOne(await tx<ApplicationRow[]>`select * from application where ${isKey(tx, key)} for update`) ?? null;
}

export async function lockApplicationOfClient(
  tx: Queryable,
  { clientId, customerId }: { clientId: string; customerId: string },
): Promise<ApplicationRow | null> {
  const rows = await tx<ApplicationRow[]>`
    select * from application where client_id = ${clientId} and customer_id = ${customerId} for update`;
  return maybeOne(rows) ?? null;
}

const isKey = (sql: Queryable, key: ApplicationKey): Fragment => sql`
  (${key.id}::int8 is null or id = ${key.id}::int8)
  and (${key.name}::text is null or lower(name) = lower(${key.name}::text))
  and (${key.customerId}::int8 is null or customer_id = ${key.customerId}::int8)`;

/** False if another application of the company has that name. */
export async function updateApplicationRow(
  tx: Queryable,
  row: Pick<ApplicationRow, 'id' | 'customer_id' | 'name' | 'description' | 'updated_at'>,
): Promise<boolean> {
  const rows = await tx`
    update application set name = ${row.name}, description = ${row.description}, updated_at = ${row.updated_at}
    where id = ${row.id} and not exists (
      select from application other
      where other.customer_id = ${row.customer_id} and lower(other.name) = lower(${row.name}) and other.id <> ${row.id}
    )
    returning id`;
  return rows.length === 1;
}

export async function setOwner(
  tx: Queryable,
  { id, ownerId, at }: { id: string; ownerId: string; at: Date },
): Promise<void> {
  await tx`update application set owner_id = ${ownerId}, updated_at = ${at} where id = ${id}`;
}

/** Addresses of the owners, by application. */
export async function selectOwners(sql: Queryable, applicationIds: readonly string[]) {
  return sql<{ id: string; email: string }[]>`
    select a.id, u.email from application a join user_account u on u.id = a.owner_id
    where a.id = any(${applicationIds as string[]}::int8[])`;
}

export async function isDisabled(tx: Queryable, userId: string): Promise<boolean> {
  return (await tx`select from user_account where id = ${userId} and disabled_at is not null`).count > 0;
}

/** Ends the valid tokens of the applications that the user owns. Returns the applications that had some. */
export async function revokeTokensOfOwner(tx: Queryable, ownerId: string, now: Date) {
  // Waits for a token that is being made; one that is made afterwards sees that the owner is disabled.
  await tx`select from application where owner_id = ${ownerId} order by id for update`;
  return tx<{ id: string; name: string; prefixes: string[] }[]>`
    with ended as (
      update application_token t set revoked_at = ${now} from application a
      where a.id = t.application_id and a.owner_id = ${ownerId} and t.revoked_at is null and t.expires_at > ${now}
      returning a.id, a.name, t.token_prefix
    )
    select id, name, array_agg(token_prefix) as prefixes from ended group by id, name order by name`;
}

export async function deleteApplicationRow(tx: Queryable, id: string): Promise<void> {
  await tx`delete from application where id = ${id}`;
}

export async function selectTokens(sql: Queryable, applicationIds: readonly string[]) {
  return sql<(TokenRow & { application_id: string })[]>`
    select application_id, id, token_prefix, created_at, expires_at, revoked_at, last_used_at
    from application_token where application_id = any(${applicationIds as string[]}::int8[])
    order by id desc`;
}

export async function countValidTokens(tx: Queryable, applicationId: string, now: Date): Promise<number> {
  const rows = await tx<{ n: number }[]>`
    select count(*)::int as n from application_token
    where application_id = ${applicationId} and revoked_at is null and expires_at > ${now}`;
  return one(rows).n;
}

type NewToken = Omit<TokenRow, 'revoked_at' | 'last_used_at'> & { application_id: string; token_hash: Buffer };

export async function insertToken(tx: Queryable, token: NewToken): Promise<void> {
  await tx`insert into application_token ${tx(token)}`;
}

/** Deletes tokens that expired or were revoked before that time. */
export async function deleteTokensBefore(tx: Queryable, applicationId: string, before: Date): Promise<void> {
  await tx`
    delete from application_token
    where application_id = ${applicationId} and least(expires_at, revoked_at) < ${before}`;
}

/** With the application it belongs to; held until the transaction ends. */
export async function lockToken(tx: Queryable, { id, customerId }: { id: string; customerId: string | null }) {
  const rows = await tx<(TokenRow & Pick<ApplicationRow, 'name' | 'customer_id' | 'owner_id'>)[]>`
    select t.id, t.token_prefix, t.created_at, t.expires_at, t.revoked_at, t.last_used_at,
      a.name, a.customer_id, a.owner_id
    from application_token t join application a on a.id = t.application_id
    where t.id = ${id} and (${customerId}::int8 is null or a.customer_id = ${customerId}::int8)
    for update of t`;
  return maybeOne(rows) ?? null;
}

export async function revokeTokenRow(tx: Queryable, id: string, now: Date): Promise<void> {
  await tx`update application_token set revoked_at = ${now} where id = ${id}`;
}

/** An application token with its application and customer. */
export async function findTokenInfo(sql: Queryable, tokenId: string) {
  const rows = await sql<
    (TokenRow & { application_id: string; name: string; client_id: string; customer_name: string })[]
  >`
    select t.id, t.token_prefix, t.created_at, t.expires_at, t.revoked_at, t.last_used_at,
      a.id as application_id, a.name, a.client_id, c.name as customer_name
    from application_token t join application a on a.id = t.application_id join customer c on c.id = a.customer_id
    where t.id = ${tokenId}`;
  return maybeOne(rows) ?? null;
}

export type ApplicationFilter = ['id' | 'name' | 'description' | 'client_id', string];

export async function selectApplications(
  sql: Queryable,
  page: {
    customerId: string | null;
    filters: readonly ApplicationFilter[];
    order: readonly { column: ApplicationColumn; direction: 'asc' | 'desc' }[];
    limit: number;
    offset: number;
  },
): Promise<{ total: number; rows: ApplicationRow[] }> {
  const where = [...Map.groupBy(page.filters, ([column]) => column).values()].reduce(
    (all, same) =>
      sql`${all} and (${same.reduce((any, filter) => sql`${any} or ${matches(sql, filter)}`, sql`false`)})`,
    sql`(${page.customerId}::int8 is null or customer_id = ${page.customerId}::int8)`,
  );
  const order = page.order.reduce(
    (all, { column, direction }) => {
      const by = sql(column);
      return direction === 'asc' ? sql`${all} ${by} asc,` : sql`${all} ${by} desc,`;
    },
    sql``,
  );
  const rows = await sql<(ApplicationRow & { total: number; id: string | null })[]>`
    select matching.total, page.*
    from (select count(*)::int as total from application where ${where}) matching
    left join lateral (
      select * from application where ${where} order by ${order} id desc limit ${page.limit} offset ${page.offset}
    ) page on true`;
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.id !== null) };
}

function matches(sql: Queryable, [column, value]: ApplicationFilter): Fragment {
  if (column === 'id') return sql`id = ${value}::int8`;
  if (column === 'client_id') return sql`client_id = ${value}`;
  return sql`position(lower(${value}::text) in lower(${sql(column)})) > 0`;
}
