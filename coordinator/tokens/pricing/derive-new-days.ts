import type { Context } from '../../platform/context.ts';
import { lacksDay } from '../queries/affected-days.ts';
import { recomputeTokenDays } from './recompute-token-days.ts';

/** A price holds on days after its reading as well: they are derived once they have begun, whether anything is read on them or not. */
export async function deriveNewDays(context: Context): Promise<void> {
  const today = context.now().toISOString().slice(0, 10);
  if (!(await lacksDay(context.sql, today))) return;
  await context.sql.begin((tx) => recomputeTokenDays(context, tx, { first: today, last: today }));
}
