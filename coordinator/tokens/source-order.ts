/** The operator's own files: they override what all other sources say about a model. */
export const OPERATOR_SOURCE = 'token-models';

/** The catalogue from which the items of the rankings have their prices. */
export const CATALOGUE_SOURCE = 'openrouter-models';

/** Precedence of sources that were read on the same day, the most trusted first; one that is not listed comes after them. */
export const sourceOrder: readonly string[] = [
  OPERATOR_SOURCE,
  'token-prices',
  CATALOGUE_SOURCE,
  'genai-prices',
  'models-dev',
  'litellm',
  'llm-prices',
];

/** Sources that are a seller's own: they take precedence for its prices. */
export const ownSourceOf: Readonly<Record<string, string>> = { openrouter: CATALOGUE_SOURCE };
