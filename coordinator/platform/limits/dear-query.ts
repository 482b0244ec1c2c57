import type { Page } from '../../contract/list-body.ts';
import type { Context } from '../context.ts';
import type { Queryable } from '../db/client.ts';
import { DomainError, invalidField } from '../errors.ts';
import { limiter } from '../limiter.ts';
import { pageBounds } from '../page.ts';
import { requestLimits } from './request-limits.ts';

/**
 * Two of the pool's connections are enough for queries over stored days, and more would take the processor from everybody's
 * short ones. Companies take turns; one may have one at work and eight in line.
 */
const line = limiter({ atOnce: 2, atOnceEach: 1, waiting: 64, waitingEach: 8 });
/** Rows up to the end of a page: the database reads and sorts all that come before it. */
const DEEPEST_ROW = 10_000;
const DAYS_OF_A_TOKEN = 30;
const ROWS_OF_A_TOKEN = 1000;

interface Dear {
  /** of which rows are read */
  days: number;
  paginate: Page;
}

/**
 * Runs a query over stored days. It costs a token of the caller's rate limit for each 30 days and each 1000 rows before its
 * page, beside the one of the request. `query` gets a connection of its own: on a shared one the driver would line up the short
 * queries of others behind it. Throws `validation` for a page beyond row 10,000, `rate_limited`.
 */
export async function dearQuery<T>(
  context: Context,
  { days, paginate }: Dear,
  query: (sql: Queryable) => Promise<T>,
): Promise<T> {
  const { offset, limit } = pageBounds(paginate);
  if (offset + limit > DEEPEST_ROW)
    throw invalidField(
      'paginate',
      `must not go beyond row ${DEEPEST_ROW} (page_num x num_per_page); give fewer days or more filters, or take the files, which hold everything`,
    );
  await chargeMore(context, Math.floor(days / DAYS_OF_A_TOKEN) + Math.floor(offset / ROWS_OF_A_TOKEN));
  const { actor } = context;
  return line(() => alone(context, query), 'customerId' in actor ? actor.customerId : '').catch((error: unknown) => {
    throw error instanceof DomainError && error.kind === 'unavailable' ? tooManyAtOnce() : error;
  });
}

async function alone<T>({ sql }: Context, query: (sql: Queryable) => Promise<T>): Promise<T> {
  const connection = await sql.reserve();
  try {
    return await query(connection);
  } finally {
    connection.release();
  }
}

const tooManyAtOnce = (): DomainError =>
  new DomainError(
    'rate_limited',
    'Too many queries over past days at once: a company has one at work and eight in line. Try again in 2 seconds.',
    { retryAfterSeconds: 2 },
  );

async function chargeMore(context: Context, tokens: number): Promise<void> {
  const charge = requestLimits(context);
  // All are asked for before the first is waited for, so that one lease has enough of them.
  const asked = Array.from({ length: tokens }, async () => charge(context.actor, context.client.address));
  const charged = await Promise.all(asked);
  const refused = charged.find((one) => one?.refused)?.refused;
  if (refused) throw refused;
}
