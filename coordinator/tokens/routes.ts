import * as routes from '../contract/token-price-routes.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { createRecord } from './files/create-record.ts';
import { deleteRecord } from './files/delete-record.ts';
import { downloadFile } from './files/download-file.ts';
import { recordInfo } from './files/find-record.ts';
import { listFiles } from './files/list-files.ts';
import { hotTokens } from './hot-tokens.ts';
import { latestBook, latestPulse } from './latest-rows.ts';
import { askedBookView, previewBook } from './preview-book.ts';
import { previewPulse } from './preview-pulse.ts';
import { pulseTrend } from './pulse-trend.ts';

/** Prices and volumes of language models, in the envelope. What most calls read lies in memory. */
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
