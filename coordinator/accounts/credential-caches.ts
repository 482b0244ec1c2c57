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

/** Added to what the caches may be behind: together within the 5 s in which every change takes effect. */
const REMEMBERED_MS = 1000;
const MOST_REMEMBERED = 10_000;

export interface Confirmed {
  actor: Actor;
  /** milliseconds since 1970 from which on the credential is no longer good */
  expiresAt: number;
}

/** By credential; goes with the rest when something was revoked. */
type RememberedActors = Cache<string, Actor>;

/** A verifier whose good answers are known without waiting for a second: the same programs call again and again. */
export function rememberActors(
  { now }: Pick<Platform, 'now'>,
  { actors }: Pick<CredentialCaches, 'actors'>,
  verify: (token: string) => Promise<Confirmed>,
): Pick<Verifier, 'verify' | 'remembered'> {
  return {
    verify: async (token) => {
      // Taken before: what is revoked while it is being looked up must not be remembered.
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
 * How often a process that serves looks for revocations: so long at most they take to work everywhere. A look costs a
 * quarter of a millisecond. What is told (LISTEN) is looked at at once; a look every so often comes through any pooler, and
 * cannot be missed while the database restarts.
 */
export const LOOK_MS = 250;

/**
 * One look; the returned function is called again and again. What is remembered about keys, users and jobs is forgotten if
 * anything was revoked since the last look. If the database does not answer, what is remembered ages out within 5 s.
 */
export function heedRevocations({ sql, now }: Context): () => Promise<void> {
  let seen: string | undefined;
  return async () => {
    // A failure is not logged four times a second; the other sweeps say that the database is gone.
    const count = await revocationCount(sql).catch(() => seen);
    if (count !== seen) credentialCaches({ sql, now }).forget();
    seen = count;
  };
}
