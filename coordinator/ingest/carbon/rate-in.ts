import { MOST_GRAMS } from '../../carbon/factors/factor.ts';
import { amountIn } from '../reading/amount-in.ts';
import { Misfit } from './collect-rows.ts';

/** g/kWh in a cell; `scale` is what one of the publisher's units is in g/kWh. */
export function rateIn(cell: string, scale = 1): number | Misfit {
  const amount = amountIn(cell);
  if (amount === null) return new Misfit('no-figure', cell);
  const grams = amount * scale;
  return grams >= 0 && grams <= MOST_GRAMS ? grams : new Misfit('bad-value', cell);
}
