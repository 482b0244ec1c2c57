import * as routes from '../contract/token-price-routes.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { createRecord, deleteRecord, recordInfo } from './records.ts';
import { downloadFile, listFiles } from './files.ts';
import { hotTokens, hotIndices } from './hot-tokens.ts';
import { latestBook, latestPulse, askedBookView, previewBook, previewPulse } from './previews.ts';
import { pulseTrend } from './pulse-trend.ts';
import { breakevenRoute } from '../contract/token-breakeven.ts';
import { tokenIndexRoute, tokenIndexSpecsRoute } from '../contract/token-index.ts';
import type { HotMarket } from '../market/hot-market.ts';
import { tokenBreakeven } from './breakeven.ts';
import { listIndices, tokenIndex } from './token-index.ts';

/** Prices and volumes of language models, in the envelope. What most calls read is in memory. */
export function tokensArea(platform: Platform): Area {
  const area = createArea(platform, 'envelope');
  const tokens = hotTokens(platform);
  area.on(routes.tokenFileListRoute, (context, { body }) => listFiles(context, body));
  area.on(routes.tokenFileDownloadRoute, (context, { body }) => downloadFile(context, body.id));
  area.on(routes.latestBookRoute, async () => latestBook(await tokens()));
  area.on(routes.bookPreviewRoute, async (context, { body, query }) =>
    previewBook(context, await tokens(), askedBookView(body, query)),
  );
  area.on(routes.latestPulseRoute, async () => latestPulse(await tokens()));
  area.on(routes.pulsePreviewRoute, async (context, { body }) => previewPulse(context, await tokens(), body));
  area.on(routes.pulseTrendRoute, async (_, { body }) => pulseTrend(await tokens(), body));
  area.on(routes.createRecordRoute, (context, { body }) => createRecord(context, body));
  area.on(routes.recordInfoRoute, (context, { body }) => recordInfo(context, body));
  area.on(routes.deleteRecordRoute, (context, { body }) => deleteRecord(context, body));
  return area;
}

/** Indices of token prices, from memory, and the break-even of renting; in the envelope. */
export function tokenIndexArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  const indices = hotIndices(platform);
  area.on(tokenIndexRoute, async (context, { body }) => tokenIndex(context, await indices(), body));
  area.on(tokenIndexSpecsRoute, async ({ now }) => listIndices(await indices(), now()));
  area.on(breakevenRoute, async (context, { query }) => tokenBreakeven(context, await market(), query));
  return area;
}
