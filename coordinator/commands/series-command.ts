import { Command } from 'commander';
import { z } from 'zod';
import { priceType } from '../contract/price-type.ts';
import { productToExplain } from '../market/explain-price.ts';
import { MOST_SERIES_DAYS, priceSeries, type SeriesDay } from '../market/price-series.ts';
import { placeOf, termOf } from './describe-explanation.ts';
import type { Edges } from './edges.ts';
import { table } from './text-table.ts';
import { withMarket } from './open-platform.ts';

const day = z.iso.date('must be YYYY-MM-DD');
const given = z
  .object({
    first: day,
    last: day,
    type: z.coerce.number('must be a number').pipe(priceType).default(0),
    country: z
      .string()
      .regex(/^[a-z]{2}$/i, 'must be two letters')
      .transform((code) => code.toUpperCase())
      .optional(),
  })
  .refine(({ first, last }) => first <= last, { path: ['last'], message: 'must not be before the first day' })
  .refine(({ first, last }) => Date.parse(last) - Date.parse(first) < MOST_SERIES_DAYS * 86_400_000, {
    path: ['last'],
    message: `must be within ${MOST_SERIES_DAYS} days of the first`,
  });

/** `ingest series <product> <first> <last>` */
export const seriesCommand = (edges: Edges): Command =>
  new Command('series')
    .description('A product’s published price of each day with what stands behind it, and its indices')
    .argument('<product>', 'slug or id')
    .argument('<first>', 'YYYY-MM-DD')
    .argument('<last>', 'YYYY-MM-DD, included')
    .option('--type <n>', 'the price type: -1 spot, 0 on demand, 12 a year, 100 new and so on', '0')
    .option('--country <code>', 'two letters; without it, over all countries')
    .action(async (slugOrId: string, first: string, last: string, options: object) => {
      const { type, country = '', ...days } = parse({ ...options, first, last });
      await withMarket(edges, async ({ sql }) => {
        const product = await productToExplain(sql, slugOrId);
        const series = await priceSeries(sql, { productId: product.product_id, priceType: type, country, ...days });
        const head = `${product.name}, ${termOf(type)}, ${placeOf(country)}, ${days.first} to ${days.last}\n`;
        edges.stdout.write(series.length === 0 ? `${head}no price of these days\n` : `${head}\n${described(series)}`);
      });
    });

const usd = (price: number | null | undefined): string =>
  price === null || price === undefined ? '-' : price.toFixed(4);

/** USD; `-` in an index column if there are fewer than three providers on both sides. */
const described = (series: readonly SeriesDay[]): string =>
  table(
    ['day', 'mean', 'median', 'p10', 'p90', 'providers', 'rows', 'oldest', 'status', 'neo', 'hs', 'all'],
    series.map(({ day: on, price, index }) => [
      on,
      usd(price?.price),
      usd(price?.price_median),
      usd(price?.p10),
      usd(price?.p90),
      price === null ? '-' : String(price.provider_count),
      price === null ? '-' : String(price.sample_size),
      price?.oldest_quote ?? '-',
      price?.status ?? '-',
      usd(index.neo),
      usd(index.hs),
      usd(index.all),
    ]),
  );

function parse(said: object): z.output<typeof given> {
  const parsed = given.safeParse(said);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0]);
  throw new Error(`${field in { first: 1, last: 1 } ? `The ${field} day` : `--${field}`} ${issue?.message}.`);
}
