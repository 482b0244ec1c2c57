import { type AccessKind, type Needs, NO_SUBSCRIPTION, NOT_IN_TIER } from '../../../contract/access.ts';
import { type Actor, isStaff } from '../../actor.ts';
import { DomainError } from '../../errors.ts';
import type { ChargeCall } from '../../limits/request-limits.ts';
import type { Charged } from '../../limits/share.ts';
import type { BoundRoute } from '../http-env.ts';

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

/** One kind of credential: how to tell it apart without a database, and who it stands for. */
export interface Verifier {
  recognises: (token: string) => boolean;
  /** Throws `unauthenticated` with the reason. `late` asks to accept a job token within the grace after its expiry. */
  verify: (token: string, options: { late: boolean }) => Promise<Actor>;
  /** Who it stands for if that was confirmed a moment ago; null: `verify` knows. */
  remembered?: (token: string) => Actor | null;
}

/** Who calls by the `Authorization` header; what they may call is for `authorise`. Throws `unauthenticated`. */
interface Authenticate {
  (route: { access: AccessKind }, authorization: string | undefined): Promise<Actor>;
  /** The same without waiting, if it was confirmed a moment ago; null: to be asked whole. */
  remembered: (route: { access: AccessKind }, authorization: string | undefined) => Actor | null;
}

const anonymous: Actor = { kind: 'anonymous' };

/** Longer than any token we hand out; nothing longer is hashed or decoded. */
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
