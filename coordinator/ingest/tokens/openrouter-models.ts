import { z } from 'zod';
import { checked } from '../reading/read-json.ts';
import { readExactJson, saidPrice, PER_TOKEN } from './said-price.ts';
import type { SaidAboutModel, TokenConnector, TokenFile, TokenReading, TokenRow } from './token-connector.ts';

const text = z.string().nullish();
const model = z.object({
  id: z.string().min(1),
  /** absent in lists of before June 2025 */
  canonical_slug: z.string().min(1).optional(),
  name: text,
  description: text,
  context_length: text,
  hugging_face_id: text,
  expiration_date: text,
  architecture: z.object({ tokenizer: text }).nullish(),
  pricing: z.record(z.string(), z.unknown()),
});
const catalogue = z.object({ data: z.array(model).min(1) });
type Model = z.output<typeof model>;

/**
 * OpenRouter's list of models: its prices on the day of the file, USD per token as text. The base price is taken; `overrides`
 * hold those for longer prompts. A model is identified by its permanent slug, which the usage counts use too; lists of before
 * June 2025 have its id alone. `openrouter/...` is a router, or a model whose maker is not said (a cloaked one, at 0).
 */
export const openrouterModels: TokenConnector = {
  name: 'openrouter-models',
  title: 'OpenRouter, models and what they cost today',
  url: 'https://openrouter.ai/api/v1/models',
  namesFreeOffers: true,
  read,
};

async function read(file: TokenFile): Promise<TokenReading> {
  const { data } = checked(file, catalogue, await readExactJson(file), '');
  const seen = new Set<string>();
  const rows = data.map((one, at): TokenRow => {
    const row = at + 1;
    // `~anthropic/claude-opus-latest` points to the newest model; routers state -1: they charge what the model behind them does.
    if (
      one.id.startsWith('~') ||
      one.architecture?.tokenizer === 'Router' ||
      String(one.pricing['prompt']).startsWith('-')
    )
      return { row, refused: 'no-fixed-price', detail: one.id };
    if (seen.has(one.id)) return { row, refused: 'repeated', detail: one.id };
    seen.add(one.id);
    const price = saidPrice(
      {
        input: one.pricing['prompt'],
        output: one.pricing['completion'],
        cachedInput: one.pricing['input_cache_read'],
      },
      { unit: PER_TOKEN, raw: { id: one.id, pricing: one.pricing } },
    );
    if (typeof price === 'string') return { row, refused: price, detail: one.id };
    const offer = /:[a-z-]+$/.exec(one.id)?.[0] ?? '';
    const slug = one.canonical_slug ?? one.id.slice(0, one.id.length - offer.length);
    return { row, label: `${slug}${offer}`, provider: 'openrouter', permaslug: slug, price, about: about(one) };
  });
  return { scope: 'models', rows };
}

function about({ name, description, context_length, hugging_face_id, expiration_date }: Model): SaidAboutModel {
  const length = Number(context_length ?? 0);
  return {
    name: name ?? null,
    description: description ?? null,
    contextLength: Number.isSafeInteger(length) && length > 0 ? length : null,
    // Null or empty for models without one.
    huggingFaceId: hugging_face_id || null,
    openWeights: null,
    isDeprecated: false,
    expiresOn: /^\d{4}-\d\d-\d\d/.exec(expiration_date ?? '')?.[0] ?? null,
  };
}
