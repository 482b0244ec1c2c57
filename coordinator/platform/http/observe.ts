import type { MiddlewareHandler } from 'hono';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Actor } from '../actor.ts';
import type { Platform } from '../context.ts';
import type { Logger } from '../log.ts';
import type { Admit } from './auth/admit.ts';
import type { ReadClient } from './clients.ts';
import { type ReadHeader, requestIds, setHeader, setSecurityHeaders, traceIdOf } from './headers.ts';
import { type HttpEnv, incomingOf } from './http-env.ts';
import type { Intake } from './intake.ts';
import type { CheckUpload } from './upload-threads.ts';

interface Parts {
  platform: Platform;
  admit: Admit;
  intake: Intake;
  checkUpload: CheckUpload;
  readClient: ReadClient;
  metrics: Metrics;
  /** True once the server is stopping: answers then tell the client to close the connection. */
  isDraining: () => boolean;
}

/** Middleware for every request: sets its id and headers, and records one log line and the metrics. */
export function observe(parts: Parts): MiddlewareHandler<HttpEnv> {
  const { platform, admit, readClient, metrics, isDraining } = parts;
  const requestIdOf = requestIds(platform.randomBytes);
  return async (c, next) => {
    const startedAt = performance.now();
    const header: ReadHeader = (name) => c.req.header(name);
    const requestId = requestIdOf(header);
    c.set('requestId', requestId);
    const client = readClient(incomingOf(c)?.socket.remoteAddress ?? null, header);
    c.set('client', client);
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

/** One answered request, as logged. */
interface RequestEvent {
  requestId: string;
  traceId: string | null;
  method: string;
  /** The pattern, not the path, and no query: the query of a signed URL contains its signature. */
  route: string;
  status: number;
  seconds: number;
  address: string | null;
  /** Fields about the caller and any failure, and those added by the verb. */
  fields: Record<string, unknown>;
}

/** Called every few seconds by machines; at `info` their lines would drown the others. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/api/gpu-mark/v1/agent/heartbeat']);

interface Recorders {
  metrics: Metrics;
  log: Logger;
}

/** Records an answered request: in the metrics and as one log line. */
function recordRequest({ metrics, log }: Recorders, event: RequestEvent): void {
  metrics.request(event.method, event.route, event.status, event.seconds);
  const { route, status } = event;
  const level = status >= 500 ? 'error' : QUIET.has(route) && status < 400 ? 'debug' : 'info';
  if (!log.isLevelEnabled(level)) return;
  log[level](
    {
      request_id: event.requestId,
      trace_id: event.traceId ?? undefined,
      method: event.method,
      route,
      status,
      duration_ms: Math.round(event.seconds * 1e6) / 1000,
      client: event.address ?? undefined,
      ...event.fields,
    },
    'request',
  );
}

const answered: { recorders: Recorders; event: RequestEvent }[] = [];

/**
 * Records the request in a batch, once the answers of this turn of the event loop have been sent: a log line takes 4 us
 * in the batch, but 10 us between two answers.
 */
export function recordSoon(recorders: Recorders, event: RequestEvent): void {
  if (answered.push({ recorders, event }) === 1) setImmediate(recordAnswered);
}

function recordAnswered(): void {
  for (const { recorders, event } of answered.splice(0)) recordRequest(recorders, event);
}
// An exiting process runs no further immediates.
process.once('exit', recordAnswered);

/** Log fields about the caller. */
export const callerFields = (actor: Actor): Record<string, unknown> =>
  'customerId' in actor ? { actor: actor.kind, customer_id: actor.customerId } : { actor: actor.kind };

export interface Metrics {
  request: (method: string, route: string, status: number, seconds: number) => void;
  /** A gauge that is read when the metrics are scraped: pool connections, queue depth. */
  gauge: (name: string, help: string, read: () => Promise<number> | number) => void;
  text: () => Promise<string>;
  contentType: string;
}

/** Seconds: from a cached read to the slowest statement that the database's timeout allows. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** All other methods share one label value, so that a scanner cannot grow the label set. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Creates a registry for one app. `processMetrics` adds memory, CPU and event-loop figures, which cover the whole process. */
export function createMetrics({ processMetrics }: { processMetrics: boolean }): Metrics {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time to answer, by method, route pattern and status',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers: [registry],
  });
  return {
    request: (method, route, status, seconds) =>
      requests.observe({ method: METHODS.has(method) ? method : 'OTHER', route, status }, seconds),
    gauge: (name, help, read) => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        // A gauge that cannot be read must not break the others.
        collect: async () => gauge.set(await Promise.try(read).catch(() => Number.NaN)),
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
