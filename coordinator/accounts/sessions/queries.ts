import type { Queryable } from '../../platform/db/client.ts';
import { maybeOne } from '../../platform/db/rows.ts';

export interface SessionRow {
  id: string;
  user_id: string;
  generation: number;
  expires_at: Date;
  ended_at: Date | null;
}

export async function findSession(sql: Queryable, id: string): Promise<SessionRow | null> {
  const row = maybeOne(
    await sql<SessionRow[]>`
    select id, user_id, generation, expires_at, ended_at from login_session where id = ${id}`,
  );
  return row ?? null;
}
