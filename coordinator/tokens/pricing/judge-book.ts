import type { Transaction } from '../../platform/db/client.ts';
import type { DayRange } from '../queries/affected-days.ts';
import {
  selectPricesBefore,
  selectPricesToJudge,
  updateScreens,
  type JudgedPrice,
  type PriceBefore,
} from '../queries/book.ts';
import { HISTORY_DAYS } from '../screens.ts';
import { OPERATOR_PRICES } from '../source-order.ts';
import { plausibleFor, screenPrices } from './screen-prices.ts';

const DAY_MS = 86_400_000;

/** Days whose prices are compared with those of `book`: they are judged again when it changes. */
export const judgedWith = ({ first, last }: DayRange): DayRange => ({
  first,
  last: new Date(Date.parse(last) + HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10),
});

/**
 * Decides which prices of these days count, from the prices of those days and of the 30 before, whatever was decided before: so
 * the outcome does not depend on the order in which files were loaded.
 */
export async function judgeBook(tx: Transaction, range: DayRange): Promise<void> {
  const prices = await selectPricesToJudge(tx, range);
  const before = Map.groupBy(await selectPricesBefore(tx, range), keyOf);
  const changes: JudgedPrice[] = [];
  for (const sold of Map.groupBy(prices, ({ day, model }) => `${day} ${model}`).values()) {
    const { day = '', model = '' } = sold[0] ?? {};
    const screens = screenPrices(
      model,
      sold.map((price) => ({
        seller: price.source_id,
        votes: price.source_type !== 'marketplace',
        input: price.price_input,
        output: price.price_output,
        isCopied: price.is_copied,
        isAccepted: price.source === OPERATOR_PRICES,
        before: () => sidesBefore(day, model, before.get(keyOf(price)) ?? []),
      })),
    );
    for (const [at, price] of sold.entries()) {
      const screened_by = screens[at] ?? null;
      if (screened_by !== price.screened_by) changes.push({ ...price, screened_by });
    }
  }
  if (changes.length > 0) await updateScreens(tx, changes);
}

const keyOf = ({ model, source_id }: { model: string; source_id: string }): string => `${model} ${source_id}`;

/** One for each of the 30 days before on which the seller had a plausible price. */
function sidesBefore(day: string, model: string, before: readonly PriceBefore[]): { input: number; output: number }[] {
  const isPlausible = plausibleFor(model);
  const first = new Date(Date.parse(day) - HISTORY_DAYS * DAY_MS).toISOString().slice(0, 10);
  return before
    .map(({ price_input: input, price_output: output, days }) => ({ sides: { input, output }, days }))
    .filter(({ sides }) => isPlausible(sides))
    .flatMap(({ sides, days }) => days.filter((one) => one >= first && one < day).map(() => sides));
}
