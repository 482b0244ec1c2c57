/**
 * Who may call an operation. Every `createRoute` value spreads exactly one of these; a test walks all routes and
 * fails where one is missing. The platform authenticates by it before any handler runs.
 */
export type AccessKind =
  /** no credential */
  | 'public'
  /** id_token of a signed-in person */
  | 'user'
  /** a person, an application token or an API key */
  | 'data'
  /** the job token of exactly one live job */
  | 'job'
  /** a job token, also after its expiry within the grace for late results */
  | 'job-late'
  /** a URL signed by the artifact store */
  | 'signed-url';

const bearer: Record<string, string[]>[] = [{ bearer: [] }];
const none: Record<string, string[]>[] = [];

export const access = {
  public: { security: none, 'x-access': 'public' },
  user: { security: bearer, 'x-access': 'user' },
  data: { security: bearer, 'x-access': 'data' },
  job: { security: bearer, 'x-access': 'job' },
  jobLate: { security: bearer, 'x-access': 'job-late' },
  signedUrl: { security: none, 'x-access': 'signed-url' },
} as const satisfies Record<string, { security: Record<string, string[]>[]; 'x-access': AccessKind }>;
