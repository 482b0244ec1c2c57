import { forwardDownloadRoute, forwardListRoute } from '../contract/forward.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { downloadCurve } from './curve-archive.ts';
import { listRates } from './list-rates.ts';

/** Forward curves of rental rates, in the envelope. */
export function forwardArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  area.on(forwardListRoute, async (context, { body }) => listRates(context, await market(), body));
  area.on(forwardDownloadRoute, (context, { body }) => downloadCurve(context, body.id));
  return area;
}
