import type { ReadTokens } from './read-tokens.ts';

/** model|variant at a seller: input, output, cached input */
export const priced = ({ prices }: ReadTokens): Record<string, (string | null)[]> =>
  Object.fromEntries(
    prices.map(({ model, variant, seller, price_input, price_output, price_cached_input }) => [
      `${model}|${variant} at ${seller}`,
      [price_input, price_output, price_cached_input],
    ]),
  );

/** A model of OpenRouter's list. */
export const entry = (id: string, slug: string, pricing: Record<string, unknown>, more: object = {}) => ({
  id,
  canonical_slug: slug,
  name: 'Somebody: A Model',
  description: 'A model.',
  context_length: 1000,
  hugging_face_id: null,
  expiration_date: null,
  pricing,
  ...more,
});
export const catalogue = (...data: object[]) => ({ data });
