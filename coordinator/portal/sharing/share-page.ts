import { recordEvent } from '../../accounts/audit/record-event.ts';
import type { Context } from '../../platform/context.ts';
import { DomainError, notFound } from '../../platform/errors.ts';
import { ownCustomer, personOf } from '../../platform/actor.ts';
import { insertShare, revokeShareRow, selectLiveShares, type ShareRow } from '../queries/shares.ts';
import { shareToken } from './read-shared.ts';

const DAY_MS = 86_400_000;
export const shareDays = { usual: 7, most: 90 } as const;

/** Of one page: more than a person keeps apart. */
const MOST_SHARES = 50;

/** What a link opens; the caller has made sure that it is of the actor's own company. */
export interface Shared {
  path: string;
  /** the query that it opens the page with, and no other; empty: any */
  query: string;
  /** with which the link ends, if it is deleted */
  jobId: string | null;
}

/** A link to one page for people without an account. Throws `validation`, `state`. */
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

/** As people read it. */
const subjectOf = (share: Pick<ShareRow, 'path' | 'query'>): string => decodeURIComponent(pageOf(share));

/** The link in full, under the address at which the portal stands. */
export const linkOf = (address: string, share: ShareRow): string => `${address}/s/${shareToken(share)}${pageOf(share)}`;

/** Links to a page that open it now, the newest first. */
export async function listShares(context: Context, path: string): Promise<ShareRow[]> {
  const now = context.now();
  return selectLiveShares(context.sql, { customerId: ownCustomer(context.actor), path, now, limit: MOST_SHARES });
}

/** It opens nothing from now on. Throws `not_found`. */
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
