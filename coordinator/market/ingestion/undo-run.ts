import type { Context } from '../../platform/context.ts';
import type { KeptReadings } from '../../platform/readings/undo-reading.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { planForFreshMonths } from '../queries/observations.ts';
import { bringBack, selectReplacing, setOwnAside } from '../queries/runs.ts';
import { summariseMonths } from './intake.ts';

/** Readings of prices: an undone one leaves its days to what it replaced, and they are priced again. */
export const keptPrices = (context: Context): KeptReadings => ({
  replacing: selectReplacing,
  exchange: async (tx, run) => {
    await planForFreshMonths(tx);
    // Before the run's own rows go aside with the same `replaced_by`; those have its own `run_id`.
    const rowsBack = await bringBack(tx, run.id);
    const own = await setOwnAside(tx, run);
    return { rowsAside: own.reduce((sum, { rows }) => sum + rows, 0), rowsBack, days: own.map(({ day }) => day) };
  },
  derive: async (tx, { id }, days) => {
    await summariseMonths(context, [...new Set(days.map((day) => day.slice(0, 7)))]);
    await recomputeDays(tx, days, { reason: 'undo', runId: id, at: context.now() });
  },
});
