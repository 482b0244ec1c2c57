import { breakevenRoute } from '../contract/token-breakeven.ts';
import { tokenIndexRoute, tokenIndexSpecsRoute } from '../contract/token-index.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { tokenBreakeven } from './breakeven.ts';
import { hotIndices } from './hot-indices.ts';
import { listIndices } from './list-indices.ts';
import { tokenIndex } from './token-index.ts';

/** The indices of what tokens cost, from memory, and what renting costs against them; in the envelope. */
export function tokenIndexArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  const indices = hotIndices(platform);
  area.on(tokenIndexRoute, async (context, { body }) => tokenIndex(context, await indices(), body));
  area.on(tokenIndexSpecsRoute, async ({ now }) => listIndices(await indices(), now()));
  area.on(breakevenRoute, async (context, { query }) => tokenBreakeven(context, await market(), query));
  return area;
}
