import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  request: (method: string, route: string, status: number, seconds: number) => void;
  /** A figure read when the metrics are scraped: pool connections, queue depth. */
  gauge: (name: string, help: string, read: () => Promise<number> | number) => void;
  text: () => Promise<string>;
  contentType: string;
}

/** Seconds: from a cached read to the slowest statement the database timeout lets through. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15];

/** Anything else is one label value, so that a scanner cannot grow the label set. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A registry of its own per app. `processMetrics` adds memory, CPU and event-loop figures; they observe the whole process. */
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
        // A figure that cannot be had must not take the others with it.
        collect: async () => gauge.set(await Promise.try(read).catch(() => Number.NaN)),
      });
    },
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
