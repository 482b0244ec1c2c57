import type { AccessKind } from '../../../contract/access.ts';
import type { Actor } from '../../actor.ts';
import { DomainError } from '../../errors.ts';

/** One kind of credential: how to tell it apart without a database, and who it stands for. */
export interface Verifier {
  recognises: (token: string) => boolean;
  /** Throws `unauthenticated` with the reason. `late` asks to accept a job token within the grace after its expiry. */
  verify: (token: string, options: { late: boolean }) => Promise<Actor>;
  /** Who it stands for if that was confirmed a moment ago; null: `verify` knows. */
  remembered?: (token: string) => Actor | null;
}

/** Who calls by the `Authorization` header; what they may call is for `authorise`. Throws `unauthenticated`. */
export interface Authenticate {
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
