import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SignedParts, UrlCheck } from './store.ts';

/** Names what is signed, so that no other use of the same secret can produce a valid URL. */
const PURPOSE = 'gpumark artifact url 1';

/** HMAC-SHA256, base64url, over key, file name and expiry (Unix seconds). */
export function signUrl(secret: Buffer, key: string, fileName: string, expires: number): string {
  // JSON keeps the parts apart whatever a file name holds.
  const statement = JSON.stringify([PURPOSE, key, fileName, expires]);
  return createHmac('sha256', secret).update(statement).digest('base64url');
}

/** The signature is looked at first: only an authentic URL is told that it has expired. */
export function checkUrl(secret: Buffer, key: string, signed: SignedParts, now: Date): UrlCheck {
  const expected = Buffer.from(signUrl(secret, key, signed.fileName, signed.expires));
  const given = Buffer.from(signed.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 'altered';
  return now.getTime() < signed.expires * 1000 ? 'good' : 'expired';
}
