import { recordEvent } from '../../accounts/audit/record-event.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { ownCustomer, personOf } from '../../platform/actor.ts';
import { insertShare, revokeShareRow, selectLiveShares, type ShareRow } from '../queries/shares.ts';
import { shareToken } from './read-shared.ts';

const DAY_MS = 86_400_000;
export const shareDays = { usual: 7, most: 90 } as const;

/** Links per page: more than a person can keep track of. */
const MOST_SHARES = 50;

/** What a link opens; the caller has checked that it belongs to the actor's own company. */
export interface Shared {
  path: string;
  /** the only query with which the page opens; empty: any */
  query: string;
  /** if the job is deleted, the link ends as well */
  jobId: string | null;
}

/** Creates a link to one page for people without an account. Throws `validation`, `state`. */
export async function sharePage(context: Context, shared: Shared, days: number): Promise<ShareRow> {
  const customerId = ownCustomer(context.actor);
  if (!Number.isInteger(days) || days < 1 || days > shareDays.most)
    throw new DomainError('validation', `Days must be a whole number from 1 to ${shareDays.most}.`);
  const live = await listShares(context, shared.path);
  if (live.length >= MOST_SHARES) throw new DomainError('state', 'Take back a link of this page first.');
  const now = context.now();
  const share: ShareRow = {
    id: context.newId(),
    customer_id: customerId,
    created_by: personOf(context.actor),
    job_id: shared.jobId,
    path: shared.path,
    query: shared.query,
    key: context.randomBytes(32),
    created_at: now,
    expires_at: new Date(now.getTime() + days * DAY_MS),
    revoked_at: null,
  };
  await context.sql.begin(async (tx) => {
    await insertShare(tx, share);
    await recordEvent(context, tx, {
      action: 'share_created',
      customerId,
      subject: subjectOf(share),
      detail: { id: share.id, days },
    });
  });
  return share;
}

const pageOf = ({ path, query }: Pick<ShareRow, 'path' | 'query'>): string =>
  query === '' ? path : `${path}?${query}`;

/** The page's path and query, percent-decoded for the audit log. */
const subjectOf = (share: Pick<ShareRow, 'path' | 'query'>): string => decodeURIComponent(pageOf(share));

/** The complete link, under the portal's address. */
export const linkOf = (address: string, share: ShareRow): string => `${address}/s/${shareToken(share)}${pageOf(share)}`;

/** Valid links to a page, newest first. */
export async function listShares(context: Context, path: string): Promise<ShareRow[]> {
  const now = context.now();
  return selectLiveShares(context.sql, { customerId: ownCustomer(context.actor), path, now, limit: MOST_SHARES });
}

/** Revokes the link immediately. Throws `not_found`. */
export async function revokeShare(context: Context, id: string): Promise<void> {
  const customerId = ownCustomer(context.actor);
  await context.sql.begin(async (tx) => {
    const revoked = await revokeShareRow(tx, { id, customerId, now: context.now() });
    if (revoked === null) throw notFound('The link');
    await recordEvent(context, tx, {
      action: 'share_revoked',
      customerId,
      subject: subjectOf(revoked),
      detail: { id },
    });
  });
}
