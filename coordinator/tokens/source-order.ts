/** The operator's own files: what they say goes before what anybody else says of a model. */
export const OPERATOR_SOURCE = 'token-models';

/** The catalogue of which the items of the rankings have their prices. */
export const CATALOGUE_SOURCE = 'openrouter-models';

/** Whom of several sources that were read on the same day to believe, the first most; one that is not listed comes after them. */
export const sourceOrder: readonly string[] = [
  OPERATOR_SOURCE,
  'token-prices',
  CATALOGUE_SOURCE,
  'genai-prices',
  'models-dev',
  'litellm',
  'llm-prices',
];

/** Sources that are a seller's own: of its prices they know best. */
export const ownSourceOf: Readonly<Record<string, string>> = { openrouter: CATALOGUE_SOURCE };
