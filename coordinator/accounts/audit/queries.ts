import type { AuditAction } from '../../contract/audit.ts';
import type { Queryable } from '../../platform/db/client.ts';

interface NewEvent {
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
  await tx`insert into audit_event ${tx({ ...event, detail: tx.json(event.detail) })}`;
}

export interface EventRow extends NewEvent {
  company_name: string | null;
  email: string | null;
}

export interface EventsAsked {
  /** null for the events of all customers and those without one */
  customerId: string | null;
  action: AuditAction | null;
  /** e-mail address of a person */
  actor: string | null;
  from: string | null;
  to: string | null;
  /** older than the event with this id */
  before: string | null;
  limit: number;
}

/** Newest first. Ids grow with time. */
export async function selectEvents(sql: Queryable, asked: EventsAsked): Promise<EventRow[]> {
  return sql<EventRow[]>`
    select e.id, e.at, e.action, e.customer_id, e.actor_kind, e.actor_id, e.subject, e.detail, host(e.address) as address,
      e.request_id, c.name as company_name, u.email
    from audit_event e
    left join customer c on c.id = e.customer_id
    left join user_account u on e.actor_kind = 'user' and u.id = e.actor_id
    where (${asked.customerId}::int8 is null or e.customer_id = ${asked.customerId}::int8)
      and (${asked.action}::text is null or e.action = ${asked.action}::text)
      and (${asked.actor}::text is null or e.actor_kind = 'user'
        and e.actor_id = (select id from user_account where lower(email) = lower(${asked.actor}::text)))
      and (${asked.from}::timestamptz is null or e.at >= ${asked.from}::timestamptz)
      and (${asked.to}::timestamptz is null or e.at < ${asked.to}::timestamptz)
      and (${asked.before}::int8 is null or e.id < ${asked.before}::int8)
    order by e.id desc limit ${asked.limit}`;
}

/** Deletes at most `limit` rows, so that no statement takes long. */
export async function deleteEventsBefore(sql: Queryable, before: Date, limit: number): Promise<number> {
  const rows = await sql`
    delete from audit_event where id in (select id from audit_event where at < ${before} limit ${limit}) returning id`;
  return rows.length;
}
