import type { Restatement } from '../queries/priced-days.ts';
import type { PublishedPrice } from '../queries/votes.ts';

/** Differences below it are of the last digits of a sum. */
const LEAST = 1e-9;

/** Which prices are not what was published: one for each day, product and term, with the countries in which it differs. */
export function restatementsOf(published: readonly PublishedPrice[], now: readonly PublishedPrice[]): Restatement[] {
  const prices = new Map<string, { key: PublishedPrice; before: number | null; after: number | null }>();
  for (const key of published) prices.set(keyOf(key), { key, before: key.price, after: null });
  for (const key of now) {
    const known = prices.get(keyOf(key));
    if (known) known.after = key.price;
    else prices.set(keyOf(key), { key, before: null, after: key.price });
  }
  const changed = [...prices.values()].filter(({ before, after }) => differ(before, after));
  return [...Map.groupBy(changed, ({ key }) => `${key.day} ${key.product_id} ${key.price_type}`).values()].map(
    (all) => {
      const { day, product_id, price_type } = (all[0] as (typeof all)[number]).key;
      const worldwide = prices.get(keyOf({ day, product_id, price_type, country: '', price: 0 }));
      return {
        day,
        product_id,
        price_type,
        countries: all.map(({ key }) => key.country).toSorted(),
        before: worldwide?.before ?? null,
        after: worldwide?.after ?? null,
      };
    },
  );
}

const keyOf = ({ day, product_id, price_type, country }: PublishedPrice): string =>
  `${day} ${product_id} ${price_type} ${country}`;

const differ = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : Math.abs(after - before) > LEAST * before;
