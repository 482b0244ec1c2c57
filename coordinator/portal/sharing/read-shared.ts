import type { Actor } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import type { SharedPage } from '../frame/visit.ts';
import { findShare, isTaskOf, type ShareRow } from '../queries/shares.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * What a shared link opens, and the actor with which its page is read: like a job's own actor, it can read that
 * customer's rows, has no role and no tier, and sees no tokens. Throws `not_found` for unknown, altered, expired and
 * revoked links alike.
 */
export async function readShared(context: Context, token: string): Promise<{ page: SharedPage; actor: Actor }> {
  const id = idOfShare(token);
  const share = id === null ? null : await findShare(context.sql, id);
  if (!share || !isSignedBy(token, share) || share.revoked_at !== null || share.expires_at <= context.now())
    throw notFound('The link');
  return {
    page: {
      id: share.id,
      path: share.path,
      query: share.query,
      customerId: share.customer_id,
      jobId: share.job_id,
      expiresAt: share.expires_at,
    },
    actor: { kind: 'job', customerId: share.customer_id, jobId: share.job_id ?? '0', tokenId: `share ${share.id}` },
  };
}

/**
 * Whether the link covers that path: its page, anything below it (a stream, the files of a list), and the machines of
 * its job.
 */
export async function isShownBy({ sql }: Pick<Context, 'sql'>, page: SharedPage, path: string): Promise<boolean> {
  if (new RegExp(`^${page.path}([/.]|$)`).test(path)) return true;
  const task = /^\/tasks\/(\d{1,18}|[1-8]\d{18})([/.]|$)/.exec(path)?.[1];
  return task !== undefined && page.jobId !== null && isTaskOf(sql, { task, job: page.jobId });
}

type Signed = Pick<ShareRow, 'id' | 'customer_id' | 'path' | 'query' | 'key' | 'expires_at'>;

/** `ID.SIGNATURE`: HMAC-SHA256, base64url, over what the link shows, its owner and its expiry. */
export const shareToken = (share: Signed): string => `${share.id}.${signatureOf(share)}`;

function signatureOf({ id, customer_id, path, query, key, expires_at }: Signed): string {
  const statement = JSON.stringify(['gpumark share 1', id, customer_id, path, query, expires_at.toISOString()]);
  return createHmac('sha256', key).update(statement).digest('base64url');
}

/** The id of the row that a token names; null if the token is malformed. */
const idOfShare = (token: string): string | null => /^(\d{1,19})\.[\w-]{43}$/.exec(token)?.[1] ?? null;

function isSignedBy(token: string, share: Signed): boolean {
  const given = Buffer.from(token.split('.')[1] ?? '');
  const wanted = Buffer.from(signatureOf(share));
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
