import type { Platform } from '../platform/context.ts';
import { shortCache } from '../platform/short-cache.ts';
import type { Standing } from '../contract/terms.ts';
import { findJobToken, findUser, type JobTokenRow, type UserRow } from './queries.ts';
import { findSession, type SessionRow } from './sessions/queries.ts';
import type { RememberedActors } from './remember-actor.ts';
import { keyring, type FindKey } from './signing-key.ts';
import { findStanding } from './standing/queries.ts';
import { findProgram, type ProgramRow } from './programs/queries.ts';

/** Beats come by the thousand and must not each ask the database; a change that is not announced takes effect within this time. */
const CACHE_MS = 4000;
const CACHE_ENTRIES = 10_000;

/** What decides whether a credential is good, remembered for seconds. One for each database a process has open. */
export interface CredentialCaches {
  findKey: FindKey;
  userOf: (id: string) => Promise<UserRow | null>;
  jobOf: (id: string) => Promise<JobTokenRow | null>;
  standingOf: (customerId: string) => Promise<Standing | null>;
  sessionOf: (id: string) => Promise<SessionRow | null>;
  /** An application token or an API key, by the SHA-256 of it in hex. */
  programOf: (hash: string) => Promise<ProgramRow | null>;
  actors: () => RememberedActors;
  /** Everything is asked for anew; what is being asked for at this moment is not kept either. */
  forget: () => void;
}

type Source = Pick<Platform, 'sql' | 'now'>;

const made = new WeakMap<Source['sql'], CredentialCaches>();

export function credentialCaches(source: Source): CredentialCaches {
  const known = made.get(source.sql) ?? makeCaches(source);
  made.set(source.sql, known);
  return known;
}

function makeCaches(source: Source): CredentialCaches {
  const fresh = () => {
    const options = { lifetimeMs: CACHE_MS, maxEntries: CACHE_ENTRIES, now: source.now };
    return {
      findKey: keyring(source),
      userOf: shortCache(options, (id) => findUser(source.sql, id)),
      jobOf: shortCache(options, (id) => findJobToken(source.sql, id)),
      standingOf: shortCache(options, (id) => findStanding(source.sql, id, source.now())),
      sessionOf: shortCache(options, (id) => findSession(source.sql, id)),
      programOf: shortCache(options, (hash) => findProgram(source.sql, hash)),
      actors: new Map() as RememberedActors,
    };
  };
  let current = fresh();
  return {
    findKey: (kid) => current.findKey(kid),
    userOf: (id) => current.userOf(id),
    jobOf: (id) => current.jobOf(id),
    standingOf: (id) => current.standingOf(id),
    sessionOf: (id) => current.sessionOf(id),
    programOf: (hash) => current.programOf(hash),
    actors: () => current.actors,
    forget: () => void (current = fresh()),
  };
}
