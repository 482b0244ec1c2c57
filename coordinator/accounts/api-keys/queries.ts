import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne, one } from '../../platform/db/rows.ts';

export interface KeyNameRow {
  id: string;
  name: string;
  description: string;
  created_at: Date;
}

export interface KeyRow {
  id: string;
  name_id: string;
  key_prefix: string;
  created_at: Date;
  expires_at: Date;
  last_used_at: Date | null;
}

export async function countKeyNames(tx: Queryable, customerId: string): Promise<number> {
  return one(await tx<{ n: number }[]>`select count(*)::int as n from api_key_name where customer_id = ${customerId}`)
    .n;
}

/** False if the company has a key name that differs at most in case. */
export async function insertKeyName(tx: Queryable, row: KeyNameRow & { customer_id: string }): Promise<boolean> {
  const rows = await tx`
    insert into api_key_name ${tx(row)}
    on conflict (customer_id, lower(name)) do nothing returning id`;
  return rows.length === 1;
}

/** Held until the transaction ends. */
export async function lockKeyName(
  tx: Queryable,
  { customerId, name }: { customerId: string; name: string },
): Promise<KeyNameRow | null> {
  const rows = await tx<KeyNameRow[]>`
    select id, name, description, created_at from api_key_name
    where customer_id = ${customerId} and lower(name) = lower(${name}) for update`;
  return maybeOne(rows) ?? null;
}

export async function deleteKeyNameRow(tx: Queryable, id: string): Promise<void> {
  await tx`delete from api_key_name where id = ${id}`;
}

export async function selectKeyNames(sql: Queryable, customerId: string): Promise<KeyNameRow[]> {
  return sql<KeyNameRow[]>`
    select id, name, description, created_at from api_key_name where customer_id = ${customerId} order by lower(name)`;
}

export async function selectKeys(sql: Queryable, customerId: string): Promise<KeyRow[]> {
  return sql<KeyRow[]>`
    select k.id, k.name_id, k.key_prefix, k.created_at, k.expires_at, k.last_used_at
    from api_key k join api_key_name n on n.id = k.name_id
    where n.customer_id = ${customerId} order by k.id desc`;
}

export async function selectKeysOfName(tx: Queryable, nameId: string): Promise<KeyRow[]> {
  return tx<KeyRow[]>`
    select id, name_id, key_prefix, created_at, expires_at, last_used_at from api_key where name_id = ${nameId}`;
}

export async function insertKey(
  tx: Queryable,
  key: Omit<KeyRow, 'last_used_at'> & { key_hash: Buffer },
): Promise<void> {
  await tx`insert into api_key ${tx(key)}`;
}

/** The deleted key. Null if the company has no such key. */
export async function deleteKeyRow(
  tx: Queryable,
  { id, customerId }: { id: string; customerId: string },
): Promise<{ key_prefix: string; name: string } | null> {
  const rows = await tx<{ key_prefix: string; name: string }[]>`
    delete from api_key k using api_key_name n
    where k.id = ${id} and n.id = k.name_id and n.customer_id = ${customerId}
    returning k.key_prefix, n.name`;
  return maybeOne(rows) ?? null;
}
