import type { MiddlewareHandler } from 'hono';
import type { Platform } from '../context.ts';
import type { Admit } from './auth/admit.ts';
import { clientOf } from './client-address.ts';
import { forwardedWarning } from './forwarded-warning.ts';
import { incomingOf, type HttpContext, type HttpEnv } from './http-env.ts';
import type { Intake } from './intake.ts';
import type { Metrics } from './metrics.ts';
import { requestIds, traceIdOf } from './request-id.ts';
import { setHeader } from './set-header.ts';
import { setSecurityHeaders } from './security-headers.ts';
import type { CheckUpload } from './upload-threads.ts';

interface Parts {
  platform: Platform;
  admit: Admit;
  intake: Intake;
  checkUpload: CheckUpload;
  metrics: Metrics;
  /** True once the server is stopping: answers then ask the client to open its next connection elsewhere. */
  isDraining: () => boolean;
}

/** Polled every few seconds by machines; their lines would drown the others. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/api/gpu-mark/v1/agent/heartbeat']);

/** Around every request: its id, its headers, its one log line and its place in the metrics. */
export function observe(parts: Parts): MiddlewareHandler<HttpEnv> {
  const { platform, admit, metrics, isDraining } = parts;
  const requestIdOf = requestIds(platform.randomBytes);
  const warnOfForwarded = forwardedWarning(platform);
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(c);
    c.set('requestId', requestId);
    const socket = incomingOf(c)?.socket.remoteAddress ?? null;
    c.set(
      'client',
      clientOf(socket, (name) => c.req.header(name), platform.config.trustedProxies),
    );
    warnOfForwarded(c);
    c.set('admit', admit);
    c.set('intake', parts.intake);
    c.set('checkUpload', parts.checkUpload);
    c.set('now', platform.now);
    c.set('actor', { kind: 'anonymous' });
    c.set('route', undefined);
    c.set('event', {});
    setHeader(c, 'X-Request-Id', requestId);
    setSecurityHeaders(c, platform.config);
    if (isDraining()) c.header('Connection', 'close');
    await next();
    const seconds = (performance.now() - startedAt) / 1000;
    const route = c.get('route')?.path ?? 'unmatched';
    metrics.request(c.req.method, route, c.res.status, seconds);
    writeEvent(platform, c, route, seconds);
  };
}

/** The path itself stays out where a route matched, and the query always: signed URLs carry their signature there. */
function writeEvent(platform: Platform, c: HttpContext, route: string, seconds: number): void {
  const status = c.res.status;
  const level = status >= 500 ? 'error' : QUIET.has(route) && status < 400 ? 'debug' : 'info';
  platform.log[level](
    {
      request_id: c.get('requestId'),
      trace_id: traceIdOf(c) ?? undefined,
      method: c.req.method,
      route,
      status,
      duration_ms: Math.round(seconds * 1e6) / 1000,
      client: c.get('client').address ?? undefined,
      ...c.get('event'),
    },
    'request',
  );
}
