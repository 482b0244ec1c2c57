import { amountIn } from '../reading/amount-in.ts';
import { Misfit } from './collect-rows.ts';

/** What a power station of pure lignite emits is below 1,500; the database takes no more than this. */
const MOST_GRAMS = 5000;

/** g/kWh in a cell; `scale` is what one of the publisher's units is in g/kWh. */
export function rateIn(cell: string, scale = 1): number | Misfit {
  const amount = amountIn(cell);
  if (amount === null) return new Misfit('no-figure', cell);
  const grams = amount * scale;
  return grams >= 0 && grams <= MOST_GRAMS ? grams : new Misfit('bad-value', cell);
}
