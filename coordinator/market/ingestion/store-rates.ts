import type { Context } from '../../platform/context.ts';
import { upsertRates } from '../queries/exchange-rates.ts';
import type { Rate } from './exchange-rates.ts';

/** Rates of days that are known already are replaced: a bank corrects itself. Prices that were stored keep theirs. */
export const storeRates = ({ sql }: Context, rates: readonly Rate[]): Promise<void> =>
  sql.begin((tx) => upsertRates(tx, rates)).then(() => undefined);
