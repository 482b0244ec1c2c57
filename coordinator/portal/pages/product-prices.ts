import type { PriceRecord } from '../../contract/market.ts';
import { numbersTable } from '../components/numbers-table.ts';
import { usd } from '../components/numbers.ts';
import { html, type Content } from '../frame/html.ts';
import { tableOf, type Column, type Table } from '../frame/listing.ts';

/** A day's price for the chosen kind of provider, or for all if none was chosen, and the price for all. */
export interface PriceDay extends Pick<PriceRecord, 'date' | 'country' | 'price_type' | 'price_type_descriptioin'> {
  /** null if only other kinds of provider had a price that day */
  own: PriceRecord | null;
  all: PriceRecord | null;
}

/** The days on which either list has a price, newest first. */
export function priceDays(own: readonly PriceRecord[], all: readonly PriceRecord[]): PriceDay[] {
  const ofKind = new Map(own.map((row) => [row.date, row]));
  const ofAll = new Map(all.map((row) => [row.date, row]));
  const either = new Map([...all, ...own].map((row) => [row.date, row]));
  return [...either.values()]
    .toSorted((a, b) => (a.date < b.date ? 1 : -1))
    .map(({ date, country, price_type, price_type_descriptioin }) => ({
      date,
      country,
      price_type,
      price_type_descriptioin,
      own: ofKind.get(date) ?? null,
      all: ofAll.get(date) ?? null,
    }));
}

const money = (name: string, label: string, of: (row: PriceDay) => number | null | undefined): Column<PriceDay> => ({
  name,
  label,
  value: (row) => of(row) ?? null,
  cell: (row) => usd(of(row) ?? null),
  isNumber: true,
});
const count = (name: string, label: string, of: (row: PriceDay) => number | undefined): Column<PriceDay> => ({
  name,
  label,
  value: (row) => of(row) ?? null,
  isNumber: true,
});

/** The files always have the columns of all providers; the page shows them beside those of one kind. */
export const pricesOf = (isOfKind: boolean): Table<PriceDay> =>
  tableOf<PriceDay>([
    {
      name: 'date',
      label: 'Day, UTC',
      value: (row) => row.date,
      cell: (row) => html`<time datetime="${row.date}">${row.date}</time>`,
    },
    { name: 'country', label: 'Country', value: (row) => row.country },
    { name: 'price_type', label: 'Term', value: (row) => row.price_type, cell: (row) => row.price_type_descriptioin },
    money('price', 'Price, USD', ({ own }) => own?.price),
    money('p10', 'p10', ({ own }) => own?.p10),
    money('median', 'Median', ({ own }) => own?.median),
    money('p90', 'p90', ({ own }) => own?.p90),
    count('provider_count', 'Providers', ({ own }) => own?.provider_count),
    count('sample_size', 'Observations', ({ own }) => own?.sample_size),
    { name: 'oldest_quote', label: 'Oldest quote', value: ({ own }) => own?.oldest_quote ?? null },
    { name: 'status', label: 'Standing', value: ({ own }) => own?.status ?? null },
    { ...money('price_all_providers', 'All providers, USD', ({ all }) => all?.price), isHidden: !isOfKind },
    { ...count('provider_count_all', 'Their count', ({ all }) => all?.provider_count), isHidden: !isOfKind },
  ]);

/** The numbers in the chart: for one kind of provider also days on which only other providers had a price. */
export const priceNumbers = (days: readonly PriceDay[], isOfKind: boolean, unit: string): Content =>
  numbersTable(
    `Price by day, ${unit}`,
    ['Day, UTC', 'Price', 'p10', 'p90', 'Providers', ...(isOfKind ? ['All providers', 'Their count'] : [])],
    days.map(({ date, own, all }) => [
      date,
      usd(own?.price ?? null),
      usd(own?.p10 ?? null),
      usd(own?.p90 ?? null),
      own?.provider_count ?? '–',
      ...(isOfKind ? [usd(all?.price ?? null), all?.provider_count ?? '–'] : []),
    ]),
  );
