import * as routes from '../contract/market-routes.ts';
import { gpuIndexRoute } from '../contract/gpu-index.ts';
import { explainPriceRoute, listRestatementsRoute } from '../contract/price-evidence.ts';
import type { Platform } from '../platform/context.ts';
import { requireHistory } from '../platform/require-terms.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { downloadArchive, listArchives } from './archive/archives.ts';
import { countrySummary, filterMap, listProviders } from './overview.ts';
import { explainPublished, listRestatements } from './price-evidence.ts';
import { filterPrice } from './filter-price.ts';
import { listPricedProducts, queryProducts } from './find-products.ts';
import { gpuIndex } from './gpu-index.ts';
import { historyPrice } from './history-price.ts';
import type { HotMarket } from './hot-market.ts';
import { countryLatestPrice, latestPrice } from './latest-price.ts';

/** Prices of GPUs, in the response envelope. What most calls read is in memory. */
export function marketArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  area.on(routes.specsListRoute, async () => listPricedProducts(await market()));
  area.on(routes.specsQueryRoute, async (_, { body }) => queryProducts(await market(), body));
  area.on(routes.latestPriceRoute, async (_, { body }) => {
    const hot = await market();
    return hot.answers('latest/price', body, () => latestPrice(hot, body));
  });
  area.on(routes.historyPriceRoute, async ({ actor, now }, { body }) => {
    requireHistory(actor, { field: 'start_date', day: body.start_date, now: now() });
    const hot = await market();
    return hot.answers('history/price', body, () => historyPrice(hot, body));
  });
  area.on(routes.countrySummaryRoute, async () => countrySummary(await market()));
  area.on(routes.filterMapRoute, async () => filterMap(await market()));
  area.on(routes.countryLatestPriceRoute, async (_, { body }) => countryLatestPrice(await market(), body));
  area.on(routes.filterPriceRoute, async (context, { body }) => filterPrice(context, await market(), body));
  area.on(routes.providerListRoute, async (_, { body }) => listProviders(await market(), body));
  area.on(gpuIndexRoute, async (context, { body }) => gpuIndex(context, await market(), body));
  area.on(explainPriceRoute, async (context, { body }) => explainPublished(context, await market(), body));
  area.on(listRestatementsRoute, (context, { query }) => listRestatements(context, query));
  area.on(routes.archiveListRoute, (context, { body }) => listArchives(context, body));
  area.on(routes.archiveDownloadRoute, (context, { body }) => downloadArchive(context, body.id));
  return area;
}
