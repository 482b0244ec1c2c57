import type { TestApp } from './app.ts';

export interface AuditLine {
  action: string;
  customer_id: string | null;
  actor_kind: string;
  actor_id: string | null;
  subject: string;
  detail: Record<string, unknown>;
}

/** What the audit log says of that subject, the oldest first. */
export async function auditLines({ platform }: Pick<TestApp, 'platform'>, subject: string): Promise<AuditLine[]> {
  return platform.sql<AuditLine[]>`
    select action, customer_id, actor_kind, actor_id, subject, detail from audit_event
    where subject = ${subject} order by id`;
}

export const actionsOn = async (test: Pick<TestApp, 'platform'>, subject: string): Promise<string[]> =>
  (await auditLines(test, subject)).map(({ action }) => action);
