import { z } from 'zod';
import { checked } from '../reading/read-json.ts';
import { readExactJson, saidPrice, PER_MILLION } from './said-price.ts';
import type { SaidAboutModel, TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

/** One amount, or one that rises with prompt length; the base is for the shortest prompts. */
const amount = z.union([z.string(), z.object({ base: z.string() }).transform(({ base }) => base)]);
const priceList = z
  .object({ input_mtok: amount.optional(), output_mtok: amount.optional(), cache_read_mtok: amount.optional() })
  .loose();
const dated = z.object({
  constraint: z
    .object({
      start_date: z.iso.date().optional(),
      start_time: z.string().optional(),
      end_time: z.string().optional(),
    })
    .nullish(),
  prices: priceList,
});
const model = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  description: z.string().nullish(),
  context_window: z.string().nullish(),
  deprecated: z.boolean().nullish(),
  prices: z.union([z.array(dated).min(1), priceList]),
});
const providers = z.array(z.object({ id: z.string().min(1), models: z.array(model) })).min(1);
type Model = z.output<typeof model>;
type Dated = z.output<typeof dated>;

/**
 * pydantic/genai-prices, v1 and v2, which have the same shape: USD per million tokens by provider. A row is one price of one
 * model; if there are several, each holds until the day on which the next begins. Of prices by time of day the one without
 * hours is taken, which for DeepSeek is the cheaper night price.
 */
export const genaiPrices: TokenConnector = {
  name: 'genai-prices',
  title: 'genai-prices of Pydantic, prices by provider',
  url: 'https://raw.githubusercontent.com/pydantic/genai-prices/main/prices/new_data/v2/data.json',
  read,
};

async function read(file: TokenFile): Promise<TokenReading> {
  const data = checked(file, providers, await readExactJson(file), '');
  const rows: TokenRow[] = [];
  for (const { id: provider, models } of data)
    for (const one of models) {
      const prices: readonly Dated[] = Array.isArray(one.prices) ? one.prices : [{ prices: one.prices }];
      const starts = prices.flatMap(({ constraint }) => constraint?.start_date ?? []).toSorted();
      for (const price of prices) rows.push(rowOf(rows.length + 1, { provider, model: one, price, starts }));
    }
  return { scope: 'prices', rows };
}

interface Priced {
  provider: string;
  model: Model;
  price: Dated;
  /** days on which a price of this model begins */
  starts: readonly string[];
}

function rowOf(row: number, { provider, model: one, price: { constraint, prices }, starts }: Priced): TokenRow {
  const label = one.id;
  if (constraint?.start_time !== undefined || constraint?.end_time !== undefined)
    return { row, refused: 'time-of-day', detail: `${provider} ${label}` };
  // OpenRouter's moving aliases, as in its own list.
  if (label.startsWith('~')) return { row, refused: 'no-fixed-price', detail: `${provider} ${label}` };
  const validFrom = constraint?.start_date ?? null;
  const price = saidPrice(
    { input: prices.input_mtok, output: prices.output_mtok, cachedInput: prices.cache_read_mtok },
    {
      unit: PER_MILLION,
      raw: { prices, ...(constraint ? { constraint } : {}) },
      validFrom,
      validTo: starts.find((start) => validFrom === null || start > validFrom) ?? null,
    },
  );
  if (typeof price === 'string') return { row, refused: price, detail: `${provider} ${label}` };
  return { row, label, provider, price, about: about(one) };
}

function about({ name, description, context_window, deprecated }: Model): SaidAboutModel {
  const length = Number(context_window ?? 0);
  return {
    name: name ?? null,
    description: description ?? null,
    contextLength: Number.isSafeInteger(length) && length > 0 ? length : null,
    huggingFaceId: null,
    openWeights: null,
    isDeprecated: deprecated === true,
    expiresOn: null,
  };
}
