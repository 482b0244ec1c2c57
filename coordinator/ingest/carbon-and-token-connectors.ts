import type { CarbonConnector } from './carbon/carbon-connector.ts';
import { carbonFactors } from './carbon/carbon-factors.ts';
import { ccf } from './carbon/ccf.ts';
import { egrid } from './carbon/egrid.ts';
import { electricityMapsLive } from './carbon/electricity-maps-live.ts';
import { electricityMapsRegions } from './carbon/electricity-maps-regions.ts';
import { ember } from './carbon/ember.ts';
import { epaZips } from './carbon/epa-zips.ts';
import { geonames } from './carbon/geonames.ts';
import { googleRegions } from './carbon/google-regions.ts';
import { watttime } from './carbon/watttime.ts';
import { genaiPrices } from './tokens/genai-prices.ts';
import { litellm } from './tokens/litellm.ts';
import { llmPrices } from './tokens/llm-prices.ts';
import { modelsDev } from './tokens/models-dev.ts';
import { openrouterModels } from './tokens/openrouter-models.ts';
import { openrouterRankings } from './tokens/openrouter-rankings.ts';
import type { TokenConnector } from './tokens/token-connector.ts';
import { tokenModels } from './tokens/token-models.ts';
import { tokenPrices } from './tokens/token-prices.ts';

/** Every format of carbon data that `ingest` reads. */
export const allCarbonConnectors: readonly CarbonConnector[] = [
  egrid,
  epaZips,
  googleRegions,
  ember,
  geonames,
  ccf,
  electricityMapsRegions,
  carbonFactors,
  electricityMapsLive,
  watttime,
];

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
