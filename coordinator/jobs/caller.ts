import type { Actor } from '../platform/actor.ts';

/** Customer that a new row of the caller belongs to, whatever else the caller may see. */
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
