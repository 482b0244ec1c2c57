import type { AuditAction } from '../../contract/audit.ts';
import type { Queryable } from '../../platform/db/client.ts';

export interface NewEvent {
  id: string;
  at: Date;
  action: AuditAction;
  customer_id: string | null;
  actor_kind: string;
  actor_id: string | null;
  subject: string;
  detail: Record<string, unknown>;
  address: string | null;
  request_id: string;
}

export async function insertEvent(tx: Queryable, event: NewEvent): Promise<void> {
  await tx`
    insert into audit_event (id, at, action, customer_id, actor_kind, actor_id, subject, detail, address, request_id)
    values (${event.id}, ${event.at}, ${event.action}, ${event.customer_id}, ${event.actor_kind}, ${event.actor_id},
      ${event.subject}, ${JSON.stringify(event.detail)}::text::jsonb, ${event.address}, ${event.request_id})`;
}
