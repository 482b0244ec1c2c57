import { z } from 'zod';
import type { Context } from '../platform/context.ts';
import { findProviderId, insertRatio, selectRates } from './queries.ts';
import type { Queryable } from '../platform/db/client.ts';
import { providerTerms } from './provider-terms.ts';

const MOST_RATIOS = 10_000;
const MONTHS_PER_YEAR = 12;
const table = z
  .array(
    z.object({
      vendor: z.string().min(1).max(80),
      tenor_years: z.union([z.literal(1), z.literal(3)]),
      price_ratio: z.number().gt(0).max(1),
      as_of: z.iso.date(),
      source_url: z.url().max(500),
    }),
  )
  .max(MOST_RATIOS);

/**
 * Stores a table of committed-use ratios: JSON, `[{vendor, tenor_years: 1|3, price_ratio, as_of, source_url}]`, all of
 * it or nothing. A later ratio of a provider and tenor applies from its day on. Throws a sentence that names the entry
 * and the field.
 */
export async function loadRatios({ sql }: Context, text: string): Promise<number> {
  const given = table.safeParse(parsed(text));
  if (!given.success) {
    const [issue] = given.error.issues;
    throw new Error(`The table of ratios is wrong at ${issue?.path.join('.') || 'the top level'}: ${issue?.message}.`);
  }
  await sql.begin(async (tx) => {
    for (const { vendor, tenor_years, price_ratio: ratio, as_of, source_url } of given.data) {
      const provider_id = await findProviderId(tx, vendor.toLowerCase());
      if (provider_id === null) throw new Error(`No provider is called ${vendor}; \`providers export\` lists them.`);
      await insertRatio(tx, { provider_id, tenor_months: tenor_years * MONTHS_PER_YEAR, as_of, ratio, source_url });
    }
  });
  return given.data.length;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('The table of ratios is not JSON.');
  }
}

interface OwnRatio {
  product_id: number;
  provider: string;
  sellers: string;
  /** months */
  tenor: number;
  ratio: number;
  day: string;
}

/** Ratio of each provider's own rate for a term to its own price on demand, by product; none for a mix of contracts. */
export async function providerRatios(
  { sql }: { sql: Queryable },
  range: { first: string; last: string },
): Promise<OwnRatio[]> {
  const rates = await selectRates(sql, range);
  return [...Map.groupBy(rates, ({ product_id, provider }) => `${product_id} ${provider}`).values()].flatMap((rows) => {
    const terms = providerTerms(rows);
    const [{ product_id, provider_source_type: sellers } = null as never] = rows;
    if ('reason' in terms) return [];
    const { provider, day } = terms;
    return terms.ratios.map(({ tenor, ratio }) => ({ product_id, provider, sellers, tenor, ratio, day }));
  });
}
