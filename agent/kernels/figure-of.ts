import { gemmFacts } from './gemm-facts.ts';
import type { DeviceEvent, ResultEvent } from './runner-events.ts';

/** The figure that a result event reports, as people and `--json` readers see it; the full statistics go into the upload. */
export const figureOf = (device: DeviceEvent, result: ResultEvent) => {
  const { metric, value, unit, reason, verified, stats } = result;
  return {
    metric,
    value,
    unit,
    reason,
    verified,
    n: stats?.n ?? null,
    cv: stats?.cv ?? null,
    ...gemmFacts(device, result),
  };
};
