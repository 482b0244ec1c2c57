import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';

/** What is derived from the observations of these days is made again. */
export async function recomputeTokenDays(
  _context: Context,
  tx: Transaction,
  _days: { first: string; last: string },
): Promise<void> {
  await bumpDataVersion(tx, 'tokens');
}
