import { createHash } from 'node:crypto';
import { canonicalJson } from '../contract/result-key.ts';
import type { Context } from '../platform/context.ts';
import type { Queryable } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { claimKey, deleteKeys, findKey } from './queries.ts';

const KEPT_MS = 24 * 3600 * 1000;

/** Keys deleted per call; the rest is left to the next one. */
const MOST_KEYS = 200;

interface KeyedRequest {
  customer_id: string;
  key: string;
  request: unknown;
  /** answer to give and to repeat; holds no secret */
  status: number;
  body: Record<string, unknown>;
  created_at: Date;
}

/**
 * Claims an Idempotency-Key for 24 h in the caller's transaction. Returns the body first answered under the key, or null
 * if this request is the first. Waits for another request that has claimed the key and is still running. Throws `conflict`
 * if the key came with another request.
 */
export async function claimIdempotencyKey(
  sql: Queryable,
  { request, ...claim }: KeyedRequest,
): Promise<Record<string, unknown> | null> {
  const request_hash = createHash('sha256').update(canonicalJson(request)).digest('hex');
  const forgottenBefore = new Date(claim.created_at.getTime() - KEPT_MS);
  if (await claimKey(sql, { ...claim, request_hash }, forgottenBefore)) return null;
  const kept = await findKey(sql, claim);
  if (kept?.request_hash !== request_hash) {
    throw new DomainError('conflict', 'This Idempotency-Key was used for another request within the last 24 hours.', {
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
  }
  return kept.body;
}

/** Called every few seconds: deletes keys older than 24 h, which can then be used again. */
export async function forgetKeys({ sql, now }: Context): Promise<void> {
  await deleteKeys(sql, { createdBefore: new Date(now().getTime() - KEPT_MS), limit: MOST_KEYS });
}
