import { isIP } from 'node:net';
import type { AuditAction } from '../../contract/audit.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { insertEvent } from './queries.ts';

interface Event {
  action: AuditAction;
  /** The customer that it concerns; null if there is none or it is unknown. */
  customerId: string | null;
  /** Who or what it was done to: an address, a name, a tier. Cut at 300 characters. */
  subject: string;
  /** Never a secret. */
  detail?: Record<string, string | number | boolean | null | readonly (string | number)[]>;
  /** The user who did it, if the caller has no credential yet, as at a sign-in. */
  userId?: string;
}

const MOST_SUBJECT = 300;

/** Runs in the transaction of the change that it records, so that both are stored or neither. */
export async function recordEvent(context: Context, tx: Queryable, event: Event): Promise<void> {
  const { actor, client } = context;
  await insertEvent(tx, {
    id: context.newId(),
    at: context.now(),
    action: event.action,
    customer_id: event.customerId,
    actor_kind: event.userId === undefined ? actor.kind : 'user',
    actor_id: event.userId ?? idOf(actor),
    subject: Array.from(event.subject).slice(0, MOST_SUBJECT).join(''),
    detail: event.detail ?? {},
    address: addressOf(client.address),
    request_id: context.requestId,
  });
}

/** Without the interface of a link-local address; null if a proxy sent more than an address, such as a port. */
function addressOf(given: string | null): string | null {
  const plain = given?.split('%')[0] ?? '';
  return isIP(plain) > 0 ? plain : null;
}

function idOf(actor: Actor): string | null {
  if (actor.kind === 'user') return actor.userId;
  if (actor.kind === 'application') return actor.tokenId;
  if (actor.kind === 'api_key') return actor.apiKeyId;
  return actor.kind === 'job' ? actor.jobId : null;
}
