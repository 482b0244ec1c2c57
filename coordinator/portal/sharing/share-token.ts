import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ShareRow } from '../queries/shares.ts';

type Signed = Pick<ShareRow, 'id' | 'customer_id' | 'path' | 'query' | 'key' | 'expires_at'>;

/** `ID.SIGNATURE`: HMAC-SHA256, base64url, over what the link shows, whose it is and when it ends. */
export const shareToken = (share: Signed): string => `${share.id}.${signatureOf(share)}`;

function signatureOf({ id, customer_id, path, query, key, expires_at }: Signed): string {
  const statement = JSON.stringify(['gpumark share 1', id, customer_id, path, query, expires_at.toISOString()]);
  return createHmac('sha256', key).update(statement).digest('base64url');
}

/** The row that a token names; null if it does not look like one of ours. */
export const idOfShare = (token: string): string | null => /^(\d{1,19})\.[\w-]{43}$/.exec(token)?.[1] ?? null;

export function isSignedBy(token: string, share: Signed): boolean {
  const given = Buffer.from(token.split('.')[1] ?? '');
  const wanted = Buffer.from(signatureOf(share));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
