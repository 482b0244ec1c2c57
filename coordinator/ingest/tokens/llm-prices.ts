import { z } from 'zod';
import { checked } from '../reading/read-json.ts';
import { readExactJson, saidPrice, PER_MILLION } from './said-price.ts';
import type { TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

const price = z.object({
  input: z.string().nullish(),
  output: z.string().nullish(),
  input_cached: z.string().nullish(),
  from_date: z.iso.date().nullish(),
  to_date: z.iso.date().nullish(),
});
const vendorFile = z.object({
  vendor: z.string().min(1),
  models: z
    .array(z.object({ id: z.string().min(1), name: z.string().nullish(), price_history: z.array(price).min(1) }))
    .min(1),
});

/** `gpt-5.4-272k`, `gemini-2.5-pro-200k`: the price for longer prompts; the model without the suffix has its own entry. */
const UPPER_TIER = /-\d{2,3}k$/;

/**
 * simonw/llm-prices, `data/<vendor>.json`: USD per million tokens, as each vendor itself charges. A row is one price of one
 * model; from_date is its first day, to_date the day on which it ends.
 */
export const llmPrices: TokenConnector = {
  name: 'llm-prices',
  title: 'llm-prices of Simon Willison, prices of a vendor',
  url: null,
  read,
};

async function read(file: TokenFile): Promise<TokenReading> {
  const { vendor, models } = checked(file, vendorFile, await readExactJson(file), '');
  const rows: TokenRow[] = [];
  for (const { id, name, price_history } of models) {
    for (const said of price_history) {
      const row = rows.length + 1;
      // The name must show it too: Gemini 2.5 Pro >200k.
      if (UPPER_TIER.test(id) && name?.includes('>')) {
        rows.push({ row, refused: 'upper-tier', detail: `${vendor} ${id}` });
        continue;
      }
      const made = saidPrice(
        { input: said.input, output: said.output, cachedInput: said.input_cached },
        { unit: PER_MILLION, raw: said, validFrom: said.from_date ?? null, validTo: said.to_date ?? null },
      );
      if (typeof made === 'string') rows.push({ row, refused: made, detail: `${vendor} ${id}` });
      else rows.push({ row, label: id, provider: vendor, price: made });
    }
  }
  return { scope: vendor.toLowerCase(), rows };
}
