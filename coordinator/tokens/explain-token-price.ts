import { DomainError } from '../platform/errors.ts';
import type { Queryable } from '../platform/db/client.ts';
import {
  selectExplainedPrices,
  selectPulseOfModel,
  type ExplainedPrice,
  type PulseOfModel,
} from './queries/explained-prices.ts';
import { tokenScreens } from './screens.ts';

export interface TokenPriceExplanation {
  /** null: the day has neither a price that counts nor a volume */
  pulse: PulseOfModel | null;
  /** sellers whose prices the mean and the median are over */
  counted: number;
  prices: (ExplainedPrice & { fate: string })[];
}

/** Everything behind a model's prices of a day. Throws `not_found` if no seller has one. */
export async function explainTokenPrice(
  sql: Queryable,
  asked: { model: string; day: string },
): Promise<TokenPriceExplanation> {
  const prices = await selectExplainedPrices(sql, asked);
  if (prices.length === 0)
    throw new DomainError(
      'not_found',
      `${asked.model} has no price on ${asked.day}. Models are developer/name, as in the price book.`,
    );
  return {
    pulse: await selectPulseOfModel(sql, asked),
    counted: prices.filter((price) => price.screened_by === null && price.source_type !== 'marketplace').length,
    prices: prices.map((price) => ({ ...price, fate: fateOf(price) })),
  };
}

function fateOf({ screened_by, source_type }: ExplainedPrice): string {
  if (screened_by !== null) return `not counted: ${tokenScreens[screened_by]}`;
  return source_type === 'marketplace' ? 'does not vote: passes requests on' : '';
}
