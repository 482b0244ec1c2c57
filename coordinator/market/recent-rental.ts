import type { HotMarket } from './hot-market.ts';
import type { PriceRow } from './queries/prices.ts';

/** An older price is not what a card costs now. */
export const RECENT_DAYS = 30;
const DAY_MS = 86_400_000;

/** The newest price on demand over all countries; null: none of the last 30 days. */
export function recentRental({ rentals }: HotMarket, productId: number, now: Date): PriceRow | null {
  const row = rentals.get(productId);
  const age = row === undefined ? Infinity : now.getTime() - Date.parse(row.day);
  return row !== undefined && age >= 0 && age < (RECENT_DAYS + 1) * DAY_MS ? row : null;
}
