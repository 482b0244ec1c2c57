import type { Actor } from '../platform/actor.ts';
import type { Platform } from '../platform/context.ts';
import type { Verifier } from '../platform/http/auth/authenticate.ts';
import type { CredentialCaches } from './credential-caches.ts';

/** Added to what the caches may be behind: together within the 5 s in which every change takes effect. */
const REMEMBERED_MS = 1000;
const MOST_REMEMBERED = 10_000;

export interface Confirmed {
  actor: Actor;
  /** milliseconds since 1970 from which on the credential is no longer good */
  expiresAt: number;
}

/** By credential; goes with the rest when something was revoked. */
export type RememberedActors = Map<string, { actor: Actor; until: number }>;

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
      if (memory.size >= MOST_REMEMBERED) memory.clear();
      memory.set(token, { actor, until: Math.min(now().getTime() + REMEMBERED_MS, expiresAt) });
      return actor;
    },
    remembered: (token) => {
      const known = actors().get(token);
      return known !== undefined && known.until > now().getTime() ? known.actor : null;
    },
  };
}
