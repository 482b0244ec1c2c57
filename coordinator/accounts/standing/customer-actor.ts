import type { Standing } from '../../contract/terms.ts';
import type { Actor } from '../../platform/actor.ts';

/** The customer that a person or a program acts for. The routes let nobody else through. */
export function customerActor(actor: Actor): { customerId: string; standing: Standing } {
  if (!('standing' in actor)) throw new Error(`a caller of kind ${actor.kind} has no customer's standing`);
  return actor;
}
