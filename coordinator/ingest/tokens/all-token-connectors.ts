import { genaiPrices } from './genai-prices.ts';
import { litellm } from './litellm.ts';
import { llmPrices } from './llm-prices.ts';
import { modelsDev } from './models-dev.ts';
import { openrouterModels } from './openrouter-models.ts';
import { openrouterRankings } from './openrouter-rankings.ts';
import type { TokenConnector } from './token-connector.ts';
import { tokenModels } from './token-models.ts';
import { tokenPrices } from './token-prices.ts';

/** Every format of token prices and volumes that `ingest` reads. */
export const allTokenConnectors: readonly TokenConnector[] = [
  openrouterModels,
  openrouterRankings,
  litellm,
  genaiPrices,
  modelsDev,
  llmPrices,
  tokenPrices,
  tokenModels,
];
