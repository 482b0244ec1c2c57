import type { Application } from '../../contract/application.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import { selectTokens, type ApplicationRow, type TokenRow } from './queries.ts';

export const tokenOnWire = ({ id, token_prefix, created_at, expires_at, revoked_at, last_used_at }: TokenRow) => ({
  id,
  token_prefix,
  created_at: created_at.toISOString(),
  expires_at: expires_at.toISOString(),
  revoked_at: revoked_at?.toISOString() ?? null,
  last_used_at: last_used_at?.toISOString() ?? null,
});

/** The records of applications with their tokens, newest first. */
export async function applicationsOnWire(sql: Queryable, rows: readonly ApplicationRow[]): Promise<Application[]> {
  const tokens =
    rows.length === 0
      ? []
      : await selectTokens(
          sql,
          rows.map(({ id }) => id),
        );
  return rows.map(({ id, name, description, client_id, created_at, updated_at }) => ({
    id,
    name,
    description,
    client_id,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    tokens: tokens.filter(({ application_id }) => application_id === id).map(tokenOnWire),
  }));
}

export async function applicationOnWire(sql: Queryable, row: ApplicationRow): Promise<Application> {
  return one(await applicationsOnWire(sql, [row]));
}
