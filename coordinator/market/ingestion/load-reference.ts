import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Cache } from '../../platform/cache.ts';
import type { Context } from '../../platform/context.ts';
import { readTable } from '../../platform/read-table.ts';
import { createRegionReader } from '../identity/known-regions.ts';
import { createRulings, type RulingRow } from '../identity/label-rulings.ts';
import { createCountryMatcher } from '../identity/match-country.ts';
import { createProductMatcher } from '../identity/match-product.ts';
import { createProviderMatcher } from '../identity/match-provider.ts';
import { selectKnownProviders, selectMatchable, selectRates, upsertRates, type Rate } from '../queries/reference.ts';

/** What words mean while a file is read: products, providers, places and currencies as of the start of the reading. */
export type Reference = Awaited<ReturnType<typeof loadReference>>;

export async function loadReference({ sql }: Context) {
  const [products, providers, regions, rulings, rates] = await Promise.all([
    selectMatchable(sql),
    selectKnownProviders(sql),
    readRegions(),
    readRulings(),
    selectRates(sql),
  ]);
  return {
    product: createProductMatcher(products),
    productSlug: new Map(products.map(({ product_id, slug }) => [product_id, slug])),
    rulings: createRulings(rulings, products),
    region: createRegionReader(regions),
    provider: createProviderMatcher(providers),
    providerById: new Map(providers.map((provider) => [provider.provider_id, provider])),
    country: createCountryMatcher(regions, providers),
    usdPer: remembering(createRates(rates), (currency, day) => `${currency} ${day}`),
  };
}

const day = z.union([z.literal('').transform(() => null), z.iso.date()]);

const rulingRow: z.ZodType<RulingRow> = z.object({
  provider: z.string().min(1),
  chip: z.string().min(1),
  memory_gb: z.string().transform((text) => (text === '' ? null : Number(text))),
  cards: z.string().transform((text) => (text === '' ? [] : text.split('|').map(Number))),
  offer: z.string(),
  first_day: day,
  last_day: day,
  overrides: z.enum(['yes', 'no']).transform((word) => word === 'yes'),
  product: z.string().min(1),
  reason: z.string().min(1),
});

/**
 * One row of the table of regions; a code of one provider belongs to one country. `code` is the region's own code if
 * the row is another spelling of it; `segment` is its market if that is not the standard one.
 */
const regionRow = z.object({
  provider: z.string().trim().min(1),
  region: z.string().trim().min(1),
  country: z
    .string()
    .trim()
    .regex(/^[A-Z]{2}$/, 'must be two capital letters'),
  code: z.string().trim(),
  segment: z.enum(['', 'local-zone', 'government']),
});
const market = join(import.meta.dirname, '..');

/** Known facts about individual providers' machines; reviewed by hand, each row with its reason. */
export const readRulings = async (): Promise<RulingRow[]> =>
  readTable('label-rulings.csv', await readFile(join(market, 'identity', 'label-rulings.csv'), 'utf8'), rulingRow);

/** The table of regions, with the country of each. */
const readRegions = async (): Promise<z.output<typeof regionRow>[]> =>
  readTable('regions.csv', await readFile(join(market, 'regions.csv'), 'utf8'), regionRow);

export type { Rate };

/**
 * Banks publish on working days; a price on a weekend or holiday uses the last rate before it, at most this many days
 * old.
 */
const MOST_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * USD per unit of a currency on a day; null if no rate of that day or the week before is known. `rates` must be in
 * order of days within a currency.
 */
export function createRates(rates: readonly Rate[]): (currency: string, day: string) => number | null {
  const byCurrency = Map.groupBy(rates, ({ currency }) => currency);
  return (currency, day) => {
    if (currency === 'USD') return 1;
    const known = byCurrency.get(currency)?.findLast((rate) => rate.day <= day);
    if (!known) return null;
    return Date.parse(day) - Date.parse(known.day) <= MOST_DAYS * DAY_MS ? known.usd : null;
  };
}

/**
 * Replaces rates of days that are already known, because banks publish corrections. Stored prices keep the rate they
 * were converted with.
 */
export const storeRates = ({ sql }: Context, rates: readonly Rate[]): Promise<void> =>
  sql.begin((tx) => upsertRates(tx, rates)).then(() => undefined);

/**
 * Cached answers. Up to half full, the cache moves no entry on a lookup and costs what a bare Map does (160 to 350 ns a
 * row either way with 200 to 19,000 different words, alternating); fuller, it would cost 0.4 us a row more.
 */
const MOST = 40_000;

/**
 * Caches `answer` by key: nearly all of a file's millions of rows repeat the words of others. `answer` must not return
 * undefined.
 */
export function remembering<Asked extends unknown[], Answer extends object | string | number | null>(
  answer: (...asked: Asked) => Answer,
  keyOf: (...asked: Asked) => string,
): (...asked: Asked) => Answer {
  const known = new Cache<string, Answer>(MOST);
  return (...asked) => {
    const key = keyOf(...asked);
    const found = known.get(key);
    if (found !== undefined) return found;
    const given = answer(...asked);
    known.set(key, given);
    return given;
  };
}
