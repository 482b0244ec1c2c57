import type { Actor } from '../actor.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from './metrics.ts';

/** One answered request, as the log has it. */
export interface RequestEvent {
  requestId: string;
  traceId: string | null;
  method: string;
  /** The pattern, not the path, and no query: signed URLs carry their signature there. */
  route: string;
  status: number;
  seconds: number;
  address: string | null;
  /** Of the caller, the failure, and whatever the verb noted. */
  fields: Record<string, unknown>;
}

/** Polled every few seconds by machines; their lines would drown the others. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics', '/api/gpu-mark/v1/agent/heartbeat']);

/** What every answered request leaves: its place in the metrics and its one line in the log. */
export function recordRequest({ metrics, log }: { metrics: Metrics; log: Logger }, event: RequestEvent): void {
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

/** Who called, for its fields. */
export const callerFields = (actor: Actor): Record<string, unknown> =>
  'customerId' in actor ? { actor: actor.kind, customer_id: actor.customerId } : { actor: actor.kind };
