import { z } from 'zod';
import { checked } from '../reading/read-json.ts';
import { readExactJson, saidPrice, PER_MILLION } from './said-price.ts';
import type { SaidAboutModel, TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

const model = z.object({
  name: z.string().nullish(),
  open_weights: z.boolean().nullish(),
  status: z.string().nullish(),
  modalities: z
    .object({ output: z.array(z.string()) })
    .partial()
    .nullish(),
  limit: z.object({ context: z.string().nullish() }).nullish(),
  cost: z
    .object({ input: z.string().nullish(), output: z.string().nullish(), cache_read: z.string().nullish() })
    .loose()
    .nullish(),
});
const catalogue = z.record(z.string(), z.object({ models: z.record(z.string(), model) }));
type Model = z.output<typeof model>;

/**
 * models.dev, `api.json`: providers and their models, USD per million tokens, and whether the weights are open. A model
 * without a price is kept for its other facts; `context_over_200k` within a cost is the price for longer prompts.
 */
export const modelsDev: TokenConnector = {
  name: 'models-dev',
  title: 'models.dev, prices by provider and open weights',
  url: 'https://models.dev/api.json',
  read,
};

async function read(file: TokenFile): Promise<TokenReading> {
  const data = checked(file, catalogue, await readExactJson(file), '');
  const rows: TokenRow[] = [];
  for (const [provider, { models }] of Object.entries(data))
    for (const [label, one] of Object.entries(models)) rows.push(rowOf(rows.length + 1, provider, label, one));
  return { scope: 'api', rows };
}

function rowOf(row: number, provider: string, label: string, one: Model): TokenRow {
  const made = one.modalities?.output;
  if (made !== undefined && !made.includes('text'))
    return { row, refused: 'other-mode', detail: `${provider} ${label}` };
  const cost = one.cost ?? {};
  const price = saidPrice(
    { input: cost['input'], output: cost['output'], cachedInput: cost['cache_read'] },
    { unit: PER_MILLION, raw: cost },
  );
  if (price === 'no-price') return { row, label, provider, about: about(one) };
  if (typeof price === 'string') return { row, refused: price, detail: `${provider} ${label}` };
  return { row, label, provider, price, about: about(one) };
}

function about({ name, open_weights, status, limit }: Model): SaidAboutModel {
  const length = Number(limit?.context ?? 0);
  return {
    name: name ?? null,
    description: null,
    contextLength: Number.isSafeInteger(length) && length > 0 ? length : null,
    huggingFaceId: null,
    openWeights: open_weights ?? null,
    isDeprecated: status === 'deprecated',
    expiresOn: null,
  };
}
