import type { Standing } from '../contract/terms.ts';
import type { Role } from '../contract/user.ts';
import { DomainError } from './errors.ts';

interface OfCustomer {
  customerId: string;
  standing: Standing;
}

/** The caller, determined once by authentication and carried in the context; every query is bound to it. */
export type Actor =
  | (OfCustomer & { kind: 'user'; userId: string; role: Role; sessionId: string | null })
  | (OfCustomer & { kind: 'application'; applicationId: string; tokenId: string })
  | (OfCustomer & { kind: 'api_key'; apiKeyId: string })
  | { kind: 'job'; customerId: string; jobId: string; tokenId: string }
  | { kind: 'system' }
  | { kind: 'anonymous' };

/** Customer whose rows the actor may see; null means those of all customers (for staff and the system itself). */
export function visibleCustomer(actor: Actor): string | null {
  if (actor.kind === 'system' || isStaff(actor)) return null;
  if (actor.kind === 'anonymous') throw new Error('an anonymous caller reached customer data');
  return actor.customerId;
}

export const isStaff = (actor: Actor): boolean => actor.kind === 'user' && isStaffRole(actor.role);

/** Checks that the caller may see and change all customers: the operator's commands and staff. Throws `forbidden`. */
export function requireStaff(actor: Actor): void {
  if (actor.kind !== 'system' && !isStaff(actor))
    throw new DomainError('forbidden', 'Customers are managed by staff and root_admin.');
}

export const isStaffRole = (role: Role): boolean => role === 'staff' || role === 'root_admin';

/** Customer that owns the rows the caller creates, no matter which other customers' rows the caller may see. */
export function ownCustomer(actor: Actor): string {
  if (actor.kind === 'system' || actor.kind === 'anonymous')
    throw new Error(`a caller of kind ${actor.kind} owns nothing`);
  return actor.customerId;
}

/** The person behind the call, or null for a program. */
export const personOf = (actor: Actor): string | null => (actor.kind === 'user' ? actor.userId : null);

/** Job and customer of the calling agent's token. */
export function jobOfToken(actor: Actor): { jobId: string; customerId: string } {
  if (actor.kind !== 'job') throw new Error(`a caller of kind ${actor.kind} reached the agent protocol`);
  return { jobId: actor.jobId, customerId: actor.customerId };
}
