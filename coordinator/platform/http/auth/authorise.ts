import { NO_SUBSCRIPTION, NOT_IN_TIER, type Needs } from '../../../contract/access.ts';
import { isStaff, type Actor } from '../../actor.ts';
import { DomainError } from '../../errors.ts';

/** Throws `forbidden` unless the caller has what the operation needs beside a credential of the right kind. */
export function authorise(actor: Actor, { subscription = false, product, roles }: Needs): void {
  if (actor.kind === 'user' && roles !== undefined && !roles.includes(actor.role)) {
    throw new DomainError('forbidden', `This is for ${roles.join(', ')}; your role is ${actor.role}.`);
  }
  if (isStaff(actor) || !('standing' in actor)) return;
  const { tier, subscribed, terms, tiersWith } = actor.standing;
  if (subscription && !subscribed) {
    throw new DomainError('forbidden', 'This needs an active subscription; there is none at present.', {
      code: NO_SUBSCRIPTION,
    });
  }
  if (product !== undefined && !terms.products.includes(product)) {
    const others = tiersWith[product]?.join(', ') ?? 'none at present';
    throw new DomainError(
      'forbidden',
      `The subscription (${tier}) does not include ${product}. Tiers with it: ${others}.`,
      { code: NOT_IN_TIER },
    );
  }
}
