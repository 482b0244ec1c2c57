import type { MiddlewareHandler } from 'hono';
import type { Platform } from '../context.ts';
import type { Admit } from './auth/admit.ts';
import { clientOf } from './client-address.ts';
import { forwardedWarning } from './forwarded-warning.ts';
import { incomingOf, type HttpEnv } from './http-env.ts';
import type { Intake } from './intake.ts';
import type { Metrics } from './metrics.ts';
import { recordRequest } from './request-event.ts';
import { requestIds, traceIdOf, type ReadHeader } from './request-id.ts';
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

/** Around every request: its id, its headers, its one log line and its place in the metrics. */
export function observe(parts: Parts): MiddlewareHandler<HttpEnv> {
  const { platform, admit, metrics, isDraining } = parts;
  const requestIdOf = requestIds(platform.randomBytes);
  const warnOfForwarded = forwardedWarning(platform);
  return async (c, next) => {
    const startedAt = performance.now();
    const header: ReadHeader = (name) => c.req.header(name);
    const requestId = requestIdOf(header);
    c.set('requestId', requestId);
    const socket = incomingOf(c)?.socket.remoteAddress ?? null;
    const client = clientOf(socket, header, platform.config.trustedProxies);
    c.set('client', client);
    warnOfForwarded(header, client);
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
    recordRequest(
      { metrics, log: platform.log },
      {
        requestId,
        traceId: traceIdOf(header),
        method: c.req.method,
        route: c.get('route')?.path ?? 'unmatched',
        status: c.res.status,
        seconds: (performance.now() - startedAt) / 1000,
        address: client.address,
        fields: c.get('event'),
      },
    );
  };
}
