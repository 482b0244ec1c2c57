import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

/** What decides whether an application token or an API key is valid. */
export interface ProgramRow {
  kind: 'application' | 'api_key';
  id: string;
  /** of the application or the key's name */
  owner_id: string;
  owner_name: string;
  customer_id: string;
  expires_at: Date;
  revoked_at: Date | null;
  last_used_at: Date | null;
  hash: Buffer;
}

export async function findProgram(sql: Queryable, hashInHex: string): Promise<ProgramRow | null> {
  const hash = Buffer.from(hashInHex, 'hex');
  return (
    maybeOne(
      await sql<ProgramRow[]>`
      select 'application' as kind, t.id, a.id as owner_id, a.name as owner_name, a.customer_id, t.expires_at,
        t.revoked_at, t.last_used_at, t.token_hash as hash
      from application_token t join application a on a.id = t.application_id
      where t.token_hash = ${hash}
      union all
      select 'api_key', k.id, n.id, n.name, n.customer_id, k.expires_at, null, k.last_used_at, k.key_hash
      from api_key k join api_key_name n on n.id = k.name_id
      where k.key_hash = ${hash}`,
    ) ?? null
  );
}

/** Marks the credential as used. Returns the name of its application or key name on its first use, else null. */
export async function markUsed(
  tx: Queryable,
  { kind, id, at }: { kind: ProgramRow['kind']; id: string; at: Date },
): Promise<{ name: string } | null> {
  const rows =
    kind === 'application'
      ? await tx<{ name: string; first: boolean }[]>`
        with before as (select id, application_id, last_used_at from application_token where id = ${id} for update)
        update application_token t set last_used_at = greatest(t.last_used_at, ${at}) from before, application a
        where t.id = before.id and a.id = before.application_id
        returning a.name, before.last_used_at is null as first`
      : await tx<{ name: string; first: boolean }[]>`
        with before as (select id, name_id, last_used_at from api_key where id = ${id} for update)
        update api_key k set last_used_at = greatest(k.last_used_at, ${at}) from before, api_key_name n
        where k.id = before.id and n.id = before.name_id
        returning n.name, before.last_used_at is null as first`;
  const row = maybeOne(rows);
  return row?.first ? { name: row.name } : null;
}
