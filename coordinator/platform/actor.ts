import type { Standing } from '../contract/terms.ts';
import type { Role } from '../contract/user.ts';

interface OfCustomer {
  customerId: string;
  standing: Standing;
}

/** Who calls: decided once by authentication, carried in the context; every query is bound to it. */
export type Actor =
  | (OfCustomer & { kind: 'user'; userId: string; role: Role; sessionId: string | null })
  | (OfCustomer & { kind: 'application'; applicationId: string; tokenId: string })
  | (OfCustomer & { kind: 'api_key'; apiKeyId: string })
  | { kind: 'job'; customerId: string; jobId: string; tokenId: string }
  | { kind: 'system' }
  | { kind: 'anonymous' };

/** Customer whose rows the actor may see; null means every customer's (staff and the system itself). */
export function visibleCustomer(actor: Actor): string | null {
  if (actor.kind === 'system' || isStaff(actor)) return null;
  if (actor.kind === 'anonymous') throw new Error('an anonymous caller reached customer data');
  return actor.customerId;
}

export const isStaff = (actor: Actor): boolean =>
  actor.kind === 'user' && (actor.role === 'staff' || actor.role === 'root_admin');
