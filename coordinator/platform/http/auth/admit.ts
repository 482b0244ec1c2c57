import type { Actor } from '../../actor.ts';
import { DomainError } from '../../errors.ts';
import type { ChargeCall, Charged } from '../../limits/request-limits.ts';
import type { BoundRoute } from '../http-env.ts';
import type { Authenticate } from './authenticate.ts';
import { authorise } from './authorise.ts';

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
}

/** Hears of every credential that was good, whatever it then may do. */
export type HearUse = (actor: Actor, address: string | null) => void;

export interface Admit {
  (route: BoundRoute, caller: Caller): Promise<Admission>;
  authenticate: Authenticate;
  /**
   * The same for the fast lane, of whom it has authenticated; mostly at once. Null where the call is refused, which then costs nothing
   * and is to be asked whole.
   */
  known: (route: BoundRoute, actor: Actor, address: string | null) => Admission | null | Promise<Admission | null>;
}

/**
 * Credential, limit, rights, in this order. A refused credential is charged to the address, so that guessing costs; who holds a
 * good one passes whatever others do at the same address. A call without the right costs as much as one with it.
 */
export function admitter(authenticate: Authenticate, charge: ChargeCall, used: HearUse): Admit {
  const admit = async (route: BoundRoute, { authorization, address }: Caller): Promise<Admission> => {
    let actor: Actor = { kind: 'anonymous' };
    let unknown: DomainError | null = null;
    try {
      actor = authenticate.remembered(route, authorization) ?? (await authenticate(route, authorization));
      used(actor, address);
    } catch (error) {
      if (!(error instanceof DomainError) || error.kind !== 'unauthenticated') throw error;
      unknown = error;
    }
    const charging = route.isLimited ? charge(actor, address) : null;
    const charged = charging instanceof Promise ? await charging : charging;
    return { actor, charged, refused: charged?.refused ?? unknown ?? lacking(actor, route) };
  };
  const known: Admit['known'] = (route, actor, address) => {
    if (lacking(actor, route) !== null) return null;
    used(actor, address);
    const admitted = (charged: Charged | null): Admission | null =>
      charged?.refused ? null : { actor, charged, refused: null };
    const charging = route.isLimited ? charge(actor, address) : null;
    return charging instanceof Promise ? charging.then(admitted) : admitted(charging);
  };
  return Object.assign(admit, { authenticate, known });
}

function lacking(actor: Actor, { needs }: BoundRoute): DomainError | null {
  try {
    authorise(actor, needs);
    return null;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}
