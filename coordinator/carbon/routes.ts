import * as routes from '../contract/carbon-routes.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Context, Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { searchCountries, defaultPostcode } from './countries.ts';
import {
  batchCarbonIntensity,
  gpuCarbonIntensity,
  gpuProviderCarbonIntensity,
  type Known,
} from './gpu-carbon-intensity.ts';
import { hotCarbon } from './hot-carbon.ts';
import { listProviders, listProvidersWithCodes, providerCodes, selectableCodes } from './providers.ts';
import { zoneEmissionRate } from './zone-emission-rate.ts';

/** What running a GPU emits, in the dialect `envelope`. All data are in memory. */
export function carbonArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  const carbon = hotCarbon(platform);
  const known = async ({ now }: Context): Promise<Known> => ({
    market: await market(),
    carbon: await carbon(),
    at: now(),
  });
  area.on(routes.gpuCarbonRoute, async (context, { query }) => gpuCarbonIntensity(await known(context), query));
  area.on(routes.gpuCarbonPostRoute, async (context, { body }) => gpuCarbonIntensity(await known(context), body));
  area.on(routes.gpuProviderCarbonRoute, async (context, { query }) =>
    gpuProviderCarbonIntensity(await known(context), query),
  );
  area.on(routes.batchCarbonRoute, async (context, { body }) => batchCarbonIntensity(await known(context), body.data));
  area.on(routes.zoneEmissionRoute, async ({ now }, { query }) => zoneEmissionRate(await carbon(), query, now()));
  area.on(routes.countryRoute, async (_, { query }) => searchCountries(await carbon(), query.country_name));
  area.on(routes.defaultZipcodeRoute, async (_, { query }) => defaultPostcode(await carbon(), query.country_code));
  area.on(routes.providersRoute, async () => listProviders(await carbon()));
  area.on(routes.providersWithCodesRoute, async () => listProvidersWithCodes(await carbon()));
  area.on(routes.providerCodesRoute, async (_, { params }) => providerCodes(await carbon(), params.provider));
  area.on(routes.providerSelectionRoute, async (_, { params }) => selectableCodes(await carbon(), params.provider));
  return area;
}
