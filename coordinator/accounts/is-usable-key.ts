import type { Context } from '../platform/context.ts';
import { credentialCaches } from './credential-caches.ts';

/** Whether tokens signed with the key of this `kid` still verify. */
export async function isUsableKey(context: Context, kid: string): Promise<boolean> {
  const key = await credentialCaches(context).findKey(kid);
  return key !== null && (key.expiresAt === null || key.expiresAt > context.now());
}
