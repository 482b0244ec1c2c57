import type { Context } from '../../platform/context.ts';
import { bringBack, selectReplacing } from '../../platform/readings/replaced-rows.ts';
import type { KeptReadings } from '../../platform/readings/undo-reading.ts';
import { recomputeTokenDays } from '../pricing/recompute-token-days.ts';
import { readingTables, setOwnAside } from '../queries/store-observations.ts';

/** Readings of token prices, models and volumes: book, pulse and indices of the days of an undone one are derived again. */
export const keptTokens = (context: Context): KeptReadings => ({
  replacing: selectReplacing,
  exchange: async (tx, run) => {
    const rowsAside = await setOwnAside(tx, run.id);
    const rowsBack = await bringBack(tx, readingTables, run.id);
    return { rowsAside, rowsBack, days: [run.first_day, run.last_day].filter((day) => day !== null) };
  },
  derive: async (tx, { first_day: first, last_day: last }) => {
    if (first !== null && last !== null) await recomputeTokenDays(context, tx, { first, last });
  },
});
