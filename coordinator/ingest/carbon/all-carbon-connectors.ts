import type { CarbonConnector } from './carbon-connector.ts';
import { carbonFactors } from './carbon-factors.ts';
import { ccf } from './ccf.ts';
import { egrid } from './egrid.ts';
import { electricityMapsLive } from './electricity-maps-live.ts';
import { electricityMapsRegions } from './electricity-maps-regions.ts';
import { ember } from './ember.ts';
import { epaZips } from './epa-zips.ts';
import { geonames } from './geonames.ts';
import { googleRegions } from './google-regions.ts';
import { watttime } from './watttime.ts';

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
