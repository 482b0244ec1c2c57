import { timingSafeEqual } from 'node:crypto';
import type { Platform } from '../../platform/context.ts';
import { refuse, type Verifier } from '../../platform/http/auth/authenticate.ts';
import type { CredentialCaches } from '../credential-caches.ts';
import { rememberActors, type Confirmed } from '../remember-actor.ts';
import { hasPrefix, readToken, type OpaqueKind } from './opaque-token.ts';

const kinds = { app_token: 'application token', api_key: 'API key' } as const satisfies Partial<
  Record<OpaqueKind, string>
>;

/** Application tokens or API keys: opaque, looked up by their SHA-256. */
export function programVerifier(platform: Platform, caches: CredentialCaches, kind: keyof typeof kinds): Verifier {
  const { programOf, standingOf } = caches;
  const what = kinds[kind];
  const verify = async (token: string): Promise<Confirmed> => {
    const hash = readToken(kind, token);
    if (hash === null) throw refuse(`The ${what} is not complete: its check digits are wrong. Paste all of it.`);
    const row = await programOf(hash.toString('hex'));
    if (!row || !timingSafeEqual(row.hash, hash) || row.revoked_at)
      throw refuse(`The ${what} is unknown, or it was revoked.`);
    if (row.expires_at <= platform.now()) throw refuse(`The ${what} has expired.`);
    const standing = await standingOf(row.customer_id);
    if (!standing) throw refuse(`The ${what} is unknown, or it was revoked.`);
    const of = { customerId: row.customer_id, standing };
    const actor =
      row.kind === 'application'
        ? ({ kind: 'application', ...of, applicationId: row.owner_id, tokenId: row.id } as const)
        : ({ kind: 'api_key', ...of, apiKeyId: row.id } as const);
    return { actor, expiresAt: row.expires_at.getTime() };
  };
  return { recognises: (token) => hasPrefix(kind, token), ...rememberActors(platform, caches, verify) };
}
