import type { Application } from '../../contract/application.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import { selectOwners, selectTokens, type ApplicationRow, type TokenRow } from './queries.ts';
import { managesApplication } from './rights.ts';

export const tokenOnWire = ({ id, token_prefix, created_at, expires_at, revoked_at, last_used_at }: TokenRow) => ({
  id,
  token_prefix,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
  last_used_at: last_used_at?.toISOString() ?? null,
});

/** The records of applications with their tokens, newest first; how a token begins is for those who manage the application. */
export async function applicationsOnWire(
  { actor }: Pick<Context, 'actor'>,
  sql: Queryable,
  rows: readonly ApplicationRow[],
): Promise<Application[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const [tokens, owners] = await Promise.all([selectTokens(sql, ids), selectOwners(sql, ids)]);
  return rows.map((row) => {
    const { id, name, description, client_id, created_at, updated_at } = row;
    const isManaged = managesApplication(actor, row);
    return {
      id,
      name,
      description,
      client_id,
      created_at: created_at.toISOString(),
      updated_at: updated_at.toISOString(),
      owner: owners.find((owner) => owner.id === id)?.email ?? null,
      tokens: tokens
        .filter(({ application_id }) => application_id === id)
        .map(tokenOnWire)
        .map((token) => (isManaged ? token : { ...token, token_prefix: null })),
    };
  });
}

export async function applicationOnWire(
  context: Pick<Context, 'actor'>,
  sql: Queryable,
  row: ApplicationRow,
): Promise<Application> {
  return one(await applicationsOnWire(context, sql, [row]));
}
