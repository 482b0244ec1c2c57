import { type Actor, isStaff } from '../../actor.ts';
import { DomainError } from '../../errors.ts';
import type { ChargeCall } from '../../limits/request-limits.ts';
import type { Charged } from '../../limits/share.ts';
import type { BoundRoute } from '../http-env.ts';
import type { Authenticate } from './authenticate.ts';
import { NO_SUBSCRIPTION, NOT_IN_TIER, type Needs } from '../../../contract/access.ts';

/** Who is calling, what the call cost, and why it goes no further if it does not. */
export interface Admission {
  actor: Actor;
  /** null: the operation is not limited */
  charged: Charged | null;
  /** thrown once the headers of the answer are set */
  refused: DomainError | null;
}

interface Caller {
  authorization: string | undefined;
  address: string | null;
  /** When the call came by `performance.now()`, if that was a moment ago. */
  at?: number;
}

type When = Pick<Caller, 'address' | 'at'>;

/** Hears of every credential that was good, whatever it then may do. */
export type HearUse = (actor: Actor, address: string | null) => void;

/** At once for a caller who was confirmed a moment ago and whose bucket this process has a lease of. */
export type Admit = (route: BoundRoute, caller: Caller) => Admission | Promise<Admission>;

/**
 * Credential, limit, rights, in this order. A refused credential is charged to the address, so that guessing costs; who holds a
 * good one passes whatever others do at the same address. A call without the right costs as much as one with it.
 */
export function admitter(authenticate: Authenticate, charge: ChargeCall, used: HearUse): Admit {
  const good = (route: BoundRoute, actor: Actor, caller: When): Admission | Promise<Admission> => {
    used(actor, caller.address);
    return charged(route, actor, caller, lacking(actor, route));
  };
  const charged = (route: BoundRoute, actor: Actor, { address, at }: When, unfit: DomainError | null) => {
    const charging = route.isLimited ? charge(actor, address, at) : null;
    if (charging instanceof Promise) return charging.then((paid) => admission(actor, paid, unfit));
    return admission(actor, charging, unfit);
  };
  return (route, caller) => {
    const { authorization, address } = caller;
    const remembered = authenticate.remembered(route, authorization);
    if (remembered) return good(route, remembered, caller);
    return authenticate(route, authorization).then(
      // By then the moment has passed.
      (actor) => good(route, actor, { address }),
      (error: unknown) => {
        if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
        return charged(route, { kind: 'anonymous' }, { address }, error);
      },
    );
  };
}

const admission = (actor: Actor, charged: Charged | null, unfit: DomainError | null): Admission => ({
  actor,
  charged,
  refused: charged?.refused ?? unfit,
});

function lacking(actor: Actor, { needs }: BoundRoute): DomainError | null {
  try {
    authorise(actor, needs);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

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
