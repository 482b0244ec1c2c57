import * as contract from '../../../contract/service.ts';
import type { Platform } from '../../context.ts';
import { ping } from '../../db/ping.ts';
import { DomainError, notFound } from '../../errors.ts';
import { createArea, type Area } from '../area.ts';
import type { Metrics } from '../observe.ts';
import { docsPage } from './docs-page.ts';
import { scrapeGuard } from './scrape-guard.ts';

/** Milliseconds; shorter than the timeout of a load balancer that polls `/readyz`. */
const PING_DEADLINE_MS = 2000;

interface Parts {
  platform: Platform;
  metrics: Metrics;
  isDraining: () => boolean;
  openApi: () => Buffer;
}

/** Liveness, readiness, metrics, the OpenAPI document and its page. */
export function serviceArea({ platform, metrics, isDraining, openApi }: Parts): Area {
  const area = createArea(platform, 'error');
  const docs = docsPage();
  area.on(contract.healthRoute, async () => ({ status: 'ok' as const }));
  area.on(contract.readyRoute, () => readiness(platform, isDraining()));
  area.app.use(contract.metricsRoute.path, scrapeGuard(platform.config));
  area.on(contract.metricsRoute, async () => {
    return new Response(await metrics.text(), { headers: { 'Content-Type': metrics.contentType } });
  });
  area.on(contract.openApiRoute, async () => {
    const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'public, max-age=60' };
    return new Response(new Uint8Array(openApi()), { headers });
  });
  area.on(contract.docsRoute, () => docs.page(), { hidden: true });
  area.on(
    contract.docsAssetRoute,
    async (_context, { params }) => {
      const asset = await docs.asset(params.name);
      if (!asset) throw notFound('The asset');
      return asset;
    },
    { hidden: true },
  );
  return area;
}

async function readiness(platform: Platform, draining: boolean) {
  if (draining) throw new DomainError('unavailable', 'The coordinator is stopping.', { retryAfterSeconds: 5 });
  const answer = await ping(platform.sql, PING_DEADLINE_MS);
  if (!answer.ok) {
    throw new DomainError('unavailable', 'The database does not answer.', {
      retryAfterSeconds: 5,
      cause: answer.error,
    });
  }
  return { status: 'ready' as const, database_ms: Math.round(answer.latency_ms * 1000) / 1000 };
}
