/** The operator's own files: they override what all other sources say about a model. */
export const OPERATOR_SOURCE = 'token-models';

/** The operator's own prices: they count as they are, whatever the screens say. */
export const OPERATOR_PRICES = 'token-prices';

/** The catalogue from which the items of the rankings have their prices. */
export const CATALOGUE_SOURCE = 'openrouter-models';

/** Precedence of sources that were read on the same day, the most trusted first; one that is not listed comes after them. */
export const sourceOrder: readonly string[] = [
  OPERATOR_SOURCE,
  OPERATOR_PRICES,
  CATALOGUE_SOURCE,
  'genai-prices',
  'models-dev',
  'litellm',
  'llm-prices',
];

/**
 * Sources that fill a lab's list with the marketplace's prices: in genai-prices' files of 2025 and 2026 the labs of open models
 * ask what OpenRouter asks for 40 models, among them gpt-oss, which OpenAI does not sell.
 */
export const copyingSources: readonly string[] = ['genai-prices'];

/** Sources that are a seller's own: they take precedence for its prices. */
export const ownSourceOf: Readonly<Record<string, string>> = { openrouter: CATALOGUE_SOURCE };
