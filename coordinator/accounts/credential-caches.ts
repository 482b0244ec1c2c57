import type { Standing } from '../contract/terms.ts';
import type { Actor } from '../platform/actor.ts';
import type { Context, Platform } from '../platform/context.ts';
import type { Verifier } from '../platform/http/auth/admit.ts';
import { Cache, shortCache } from '../platform/cache.ts';
import { findProgram, type ProgramRow } from './programs/queries.ts';
import { findJobToken, findUser, type JobTokenRow, type UserRow, findSession, type SessionRow } from './queries.ts';
import { type FindKey, keyring } from './signing-key.ts';
import { findStanding } from './standing/queries.ts';
import { revocationCount } from './revocation/queries.ts';

/** Beats arrive by the thousand and must not each query the database; an unannounced change takes effect within this time. */
const CACHE_MS = 4000;
const CACHE_ENTRIES = 10_000;

/** Caches, for seconds, of what decides whether a credential is valid. One set for each database that a process has open. */
export interface CredentialCaches {
  findKey: FindKey;
  userOf: (id: string) => Promise<UserRow | null>;
  jobOf: (id: string) => Promise<JobTokenRow | null>;
  standingOf: (customerId: string) => Promise<Standing | null>;
  sessionOf: (id: string) => Promise<SessionRow | null>;
  /** An application token or an API key, by its SHA-256 in hex. */
  programOf: (hash: string) => Promise<ProgramRow | null>;
  actors: () => RememberedActors;
  /** Empties all caches; the results of look-ups under way are not kept either. */
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
      actors: new Cache(MOST_REMEMBERED) as RememberedActors,
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

/** Added to CACHE_MS: together the 5 s within which an unannounced change takes effect. */
const REMEMBERED_MS = 1000;
const MOST_REMEMBERED = 10_000;

export interface Confirmed {
  actor: Actor;
  /** milliseconds since 1970 from which the credential is no longer valid */
  expiresAt: number;
}

/** By credential; dropped with the other caches when something was revoked. */
type RememberedActors = Cache<string, Actor>;

/** A verifier that remembers positive answers for a second: the same programs call again and again. */
export function rememberActors(
  { now }: Pick<Platform, 'now'>,
  { actors }: Pick<CredentialCaches, 'actors'>,
  verify: (token: string) => Promise<Confirmed>,
): Pick<Verifier, 'verify' | 'remembered'> {
  return {
    verify: async (token) => {
      // Taken before the look-up: a credential that is revoked meanwhile must not be remembered.
      const memory = actors();
      const { actor, expiresAt } = await verify(token);
      memory.set(token, actor, Math.min(now().getTime() + REMEMBERED_MS, expiresAt));
      return actor;
    },
    remembered: (token) => actors().get(token, now().getTime()) ?? null,
  };
}

/** Whether tokens signed with the key of this `kid` still verify. */
export async function isUsableKey(context: Context, kid: string): Promise<boolean> {
  const key = await credentialCaches(context).findKey(kid);
  return key !== null && (key.expiresAt === null || key.expiresAt > context.now());
}

/**
 * How often a serving process polls for revocations, and so the longest that one takes to work everywhere. A poll costs a quarter
 * of a millisecond. A notification (LISTEN) triggers a poll at once; polling also works through any pooler, and misses nothing
 * while the database restarts.
 */
export const LOOK_MS = 250;

/**
 * Returns a function that polls once and is called again and again. It empties all caches if anything was revoked since the last
 * poll. If the database does not answer, cached answers expire within 5 s, and login keys, which the keyring keeps for 5 s,
 * within 6 s.
 */
export function heedRevocations({ sql, now }: Context): () => Promise<void> {
  let seen: string | undefined;
  return async () => {
    // A failure is not logged four times a second; the other sweeps report that the database is unreachable.
    const count = await revocationCount(sql).catch(() => seen);
    if (count !== seen) credentialCaches({ sql, now }).forget();
    seen = count;
  };
}
