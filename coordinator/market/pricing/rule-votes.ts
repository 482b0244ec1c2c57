import type { Context } from '../../platform/context.ts';
import { mayTakeLong } from '../../platform/db/transactions.ts';
import { selectPricedDays } from '../queries/pricing.ts';
import {
  deleteRuling,
  insertRuling,
  selectRulingKey,
  selectRulingsInWords,
  type RulingInWords,
} from '../queries/rulings.ts';
import { recomputeDays } from './recompute-days.ts';

interface NewRuling {
  /** slug */
  provider: string;
  /** slug or id */
  product: string;
  priceType: number;
  firstDay: string;
  /** null: until withdrawn */
  lastDay: string | null;
  reason: string;
}

/**
 * Makes these votes count whatever the screens say, and recomputes the prices of their days. Throws for unknown names.
 */
export async function acceptVotes(context: Context, ruling: NewRuling): Promise<{ id: string; days: number }> {
  return rule(context, async (tx) => {
    const { provider_id, product_id } = await selectRulingKey(tx, ruling);
    if (provider_id === null) throw new Error(`No provider has the slug ${ruling.provider}.`);
    if (product_id === null) throw new Error(`No product has the slug or id ${ruling.product}.`);
    const { priceType: price_type, firstDay: first_day, lastDay: last_day, reason } = ruling;
    const row = { provider_id, product_id, price_type, first_day, last_day, reason, made_at: context.now() };
    return { id: await insertRuling(tx, row), first_day, last_day };
  });
}

/** Lets the screens judge these votes again, and recomputes the prices of their days. Throws for an unknown ruling. */
export async function withdrawRuling(context: Context, id: string): Promise<{ id: string; days: number }> {
  return rule(context, async (tx) => {
    const ruling = await deleteRuling(tx, id);
    if (ruling === null) throw new Error(`There is no ruling ${id}: ingest rulings lists them.`);
    return { id, ...ruling };
  });
}

export const listRulings = ({ sql }: Context): Promise<RulingInWords[]> => selectRulingsInWords(sql);

async function rule(
  context: Context,
  work: (
    tx: Parameters<typeof recomputeDays>[0],
  ) => Promise<{ id: string; first_day: string; last_day: string | null }>,
): Promise<{ id: string; days: number }> {
  return context.sql.begin(async (tx) => {
    await mayTakeLong(tx);
    const { id, first_day, last_day } = await work(tx);
    const days = await selectPricedDays(tx, { first: first_day, last: last_day });
    await recomputeDays(tx, days, { reason: 'ruling', runId: null, at: context.now() });
    return { id, days: days.length };
  });
}
