import { OpenAPIHono } from '@hono/zod-openapi';
import type { Platform } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import type { HttpEnv } from '../platform/http/http-env.ts';
import type { Mounted } from '../platform/http/mount.ts';
import { requestLimits } from '../platform/limits/request-limits.ts';
import { serveAsset } from './frame/assets.ts';
import { get, type PageRoute } from './frame/route.ts';
import { servePage } from './serve-page.ts';
import { portalPages } from './pages.ts';

/**
 * The pages, as one more area next to those of the API. It has no operations, so the OpenAPI document does not list it.
 */
export function portalArea(platform: Platform): Mounted {
  const app = new OpenAPIHono<HttpEnv>();
  const parts = { platform, charge: requestLimits(platform) };
  app.get('/assets/:hash/:name', (c) => {
    const asset = serveAsset(c.req.path, c.req.header('accept-encoding'));
    if (asset === null) throw new DomainError('not_found', 'The asset');
    return c.newResponse(asset.body, asset);
  });
  for (const route of portalPages) app.on(route.method, route.path, servePage(parts, route));
  for (const route of portalPages.filter(isShared)) app.get(`/s/:token${route.path}`, servePage(parts, route));
  return { app, operations: [], missingPage: servePage(parts, missing) };
}

const missing = get('*', { who: 'public' }, () => Promise.reject(new DomainError('not_found', 'The page')));

const isShared = ({ shareable, method }: PageRoute): boolean => shareable === true && method === 'GET';
