import type { Product } from './terms.ts';
import type { Role } from './user.ts';

/**
 * Who may call an operation. Every `createRoute` value spreads exactly one member of `access`; a test walks all routes
 * and fails if one has none. The platform authenticates the caller accordingly before any handler runs.
 */
export type AccessKind =
  /** no credential */
  | 'public'
  /** id_token of a signed-in person */
  | 'user'
  /** a person, an application token or an API key */
  | 'data'
  /** an application token */
  | 'application'
  /** the job token of exactly one live job */
  | 'job'
  /** a job token, also in the grace period for late results after its expiry */
  | 'job-late'
  /** a URL signed by the artifact store */
  | 'signed-url';

/** What an operation requires of its caller beyond the kind of credential; staff need only the role. */
export interface Needs {
  /** an active subscription of any tier; else 34001 */
  subscription?: boolean;
  /** a product included in the customer's terms, by tier or by agreement; else 34004 */
  product?: Product;
  /** roles of people that may call it; absent: all. Programs have no role and are not checked */
  roles?: readonly Role[];
}

const bearer: Record<string, string[]>[] = [{ bearer: [] }];
const none: Record<string, string[]>[] = [];

export const access = {
  public: { security: none, 'x-access': 'public' },
  user: { security: bearer, 'x-access': 'user' },
  data: { security: bearer, 'x-access': 'data' },
  application: { security: bearer, 'x-access': 'application' },
  job: { security: bearer, 'x-access': 'job' },
  jobLate: { security: bearer, 'x-access': 'job-late' },
  signedUrl: { security: none, 'x-access': 'signed-url' },
} as const satisfies Record<string, { security: Record<string, string[]>[]; 'x-access': AccessKind }>;

/** Spread together with `access.*`: what the caller must have. */
export const needs = <N extends Needs>(what: N) => ({ 'x-needs': what });

export const NO_SUBSCRIPTION = 34001;
export const NOT_IN_TIER = 34004;
