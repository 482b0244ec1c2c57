import { type AccessKind, type Needs, NO_SUBSCRIPTION, NOT_IN_TIER } from '../../../contract/access.ts';
import { type Actor, isStaff } from '../../actor.ts';
import { DomainError } from '../../errors.ts';
import type { ChargeCall } from '../../limits/request-limits.ts';
import type { Charged } from '../../limits/share.ts';
import type { BoundRoute } from '../http-env.ts';

/** The caller, the charge for the call, and the reason if the call is refused. */
export interface Admission {
  actor: Actor;
  /** null if the operation is not limited */
  charged: Charged | null;
  /** thrown once the headers of the answer are set */
  refused: DomainError | null;
}

interface Caller {
  authorization: string | undefined;
  address: string | null;
  /** Arrival time of the call by `performance.now()`; absent unless it is recent. */
  at?: number;
}

type When = Pick<Caller, 'address' | 'at'>;

/** Called with the owner of every valid credential, whether or not the call is allowed. */
export type HearUse = (actor: Actor, address: string | null) => void;

/** Synchronous for a caller confirmed a moment ago, if this process has leased tokens from the caller's bucket. */
export type Admit = (route: BoundRoute, caller: Caller) => Admission | Promise<Admission>;

/**
 * Checks credential, limit and rights, in this order. A refused credential is charged to the address, which limits guessing;
 * a caller with a valid one is not affected by others at the same address. A call without the right is charged like any other.
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
      // Without `at`: authentication took time, so the arrival is no longer recent.
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

/** Throws `forbidden` unless the caller has what the operation needs in addition to an accepted kind of credential. */
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

/** One kind of credential: how to recognise it without a database, and whom it identifies. */
export interface Verifier {
  recognises: (token: string) => boolean;
  /** Throws `unauthenticated` with the reason. `late`: also accept a job token in the grace period after its expiry. */
  verify: (token: string, options: { late: boolean }) => Promise<Actor>;
  /** The actor, if it was confirmed a moment ago; null if `verify` must be called. */
  remembered?: (token: string) => Actor | null;
}

/** Identifies the caller by the `Authorization` header; `authorise` checks the rights. Throws `unauthenticated`. */
interface Authenticate {
  (route: { access: AccessKind }, authorization: string | undefined): Promise<Actor>;
  /** The same, synchronously, if the actor was confirmed a moment ago; null if the full check is needed. */
  remembered: (route: { access: AccessKind }, authorization: string | undefined) => Actor | null;
}

const anonymous: Actor = { kind: 'anonymous' };

/** Longer than any token we issue; nothing longer is hashed or decoded. */
const MAX_TOKEN_LENGTH = 4096;

const opens: Record<AccessKind, readonly Actor['kind'][]> = {
  public: [],
  'signed-url': [],
  user: ['user'],
  data: ['user', 'application', 'api_key'],
  application: ['application'],
  job: ['job'],
  'job-late': ['job'],
};

const wanted: Record<AccessKind, string> = {
  public: '',
  'signed-url': '',
  user: 'the id_token of a login',
  data: 'the id_token of a login, an application token or an API key',
  application: 'an application token',
  job: 'the token of a benchmark job',
  'job-late': 'the token of a benchmark job',
};

export function authenticator(verifiers: readonly Verifier[]): Authenticate {
  const authenticate = async ({ access }: { access: AccessKind }, authorization: string | undefined) => {
    if (opens[access].length === 0) return anonymous;
    const token = bearerToken(access, authorization);
    const verifier = verifiers.find((candidate) => candidate.recognises(token));
    if (!verifier) throw refuse(`The bearer credential is not one of this service. Send ${wanted[access]}.`);
    const actor = await verifier.verify(token, { late: access === 'job-late' });
    if (!opens[access].includes(actor.kind)) {
      throw refuse(`A credential of kind ${actor.kind} does not open this operation. Send ${wanted[access]}.`);
    }
    return actor;
  };
  const remembered: Authenticate['remembered'] = ({ access }, authorization) => {
    const token = bearer.exec(authorization ?? '')?.[1];
    if (token === undefined || token.length > MAX_TOKEN_LENGTH) return null;
    for (const verifier of verifiers) {
      const actor = verifier.remembered?.(token) ?? null;
      if (actor !== null) return opens[access].includes(actor.kind) ? actor : null;
    }
    return null;
  };
  return Object.assign(authenticate, { remembered });
}

const bearer = /^Bearer +([\x21-\x7e]+) *$/i;

function bearerToken(access: AccessKind, authorization: string | undefined): string {
  const token = bearer.exec(authorization ?? '')?.[1];
  if (token === undefined) throw refuse(`Send ${wanted[access]} in the header "Authorization: Bearer TOKEN".`);
  if (token.length > MAX_TOKEN_LENGTH) throw refuse('The bearer credential is too long to be one of this service.');
  return token;
}

export const refuse = (message: string): DomainError => new DomainError('unauthenticated', message);
