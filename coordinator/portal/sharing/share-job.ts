import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { ownCustomer, personOf } from '../../platform/actor.ts';
import { findJobPage } from '../queries/job-page.ts';
import { insertShare, revokeShareRow, selectShares, type ShareRow } from '../queries/shares.ts';
import { shareToken } from './share-token.ts';

const DAY_MS = 86_400_000;
export const shareDays = { usual: 7, most: 90 } as const;

/** Of one page: more than a person keeps apart. */
const MOST_SHARES = 50;

/** A link to a job's page for who has no account, of the owner's own jobs. Throws `not_found`, `validation`, `state`. */
export async function shareJob(context: Context, { jobId, days }: { jobId: string; days: number }): Promise<string> {
  const customerId = ownCustomer(context.actor);
  if (!Number.isInteger(days) || days < 1 || days > shareDays.most)
    throw new DomainError('validation', `Days must be a whole number from 1 to ${shareDays.most}.`);
  if (!(await findJobPage(context.sql, { id: jobId, customerId }))) throw notFound('Job');
  const path = `/jobs/${jobId}`;
  const now = context.now();
  const live = (await selectShares(context.sql, { customerId, path, limit: MOST_SHARES })).filter((share) =>
    isLive(share, now),
  );
  if (live.length >= MOST_SHARES) throw new DomainError('state', 'Take back a link of this page first.');
  const share: ShareRow = {
    id: context.newId(),
    customer_id: customerId,
    created_by: personOf(context.actor),
    job_id: jobId,
    path,
    query: '',
    key: context.randomBytes(32),
    created_at: now,
    expires_at: new Date(now.getTime() + days * DAY_MS),
    revoked_at: null,
  };
  await insertShare(context.sql, share);
  return linkOf(context, share);
}

export const linkOf = ({ config }: Pick<Context, 'config'>, share: ShareRow): string =>
  `${config.publicUrl ?? ''}/s/${shareToken(share)}${share.path}${share.query === '' ? '' : `?${share.query}`}`;

export const isLive = ({ revoked_at, expires_at }: ShareRow, now: Date): boolean =>
  revoked_at === null && expires_at > now;

export const listShares = (context: Context, path: string): Promise<ShareRow[]> =>
  selectShares(context.sql, { customerId: ownCustomer(context.actor), path, limit: MOST_SHARES });

/** It opens nothing from now on. Throws `not_found`. */
export async function revokeShare(context: Context, id: string): Promise<void> {
  const revoked = await revokeShareRow(context.sql, { id, customerId: ownCustomer(context.actor), now: context.now() });
  if (!revoked) throw notFound('The link');
}
