import type { Context } from '../../platform/context.ts';
import { mayTakeLong, tryLockByName } from '../../platform/db/transactions.ts';
import { selectDaysOfEarlierRules } from '../queries/pricing.ts';
import { RULES, recomputeDays } from './recompute-days.ts';

/** Days per transaction: bounds how long it holds locks and how much a crash loses. */
const DAYS_AT_A_TIME = 31;

/**
 * Recomputes days that were priced by earlier rules, the earliest first, because a vote is compared with the days
 * before it. Returns how many. Only one of several processes does it.
 */
export async function repriceDays(
  context: Context,
  onDays: (days: readonly string[]) => void = () => {},
): Promise<number> {
  let done = 0;
  for (;;) {
    const days = await context.sql.begin(async (tx) => {
      if (!(await tryLockByName(tx, 'market reprice'))) return [];
      await mayTakeLong(tx);
      const stale = await selectDaysOfEarlierRules(tx, { rules: RULES, limit: DAYS_AT_A_TIME });
      await recomputeDays(tx, stale, { reason: 'rules', runId: null, at: context.now() });
      return stale;
    });
    if (days.length === 0) return done;
    done += days.length;
    onDays(days);
  }
}
