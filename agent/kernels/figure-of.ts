import { gemmFacts } from './gemm-facts.ts';
import type { DeviceEvent, ResultEvent } from './runner-events.ts';

/** The figure of a result event, as shown to people and `--json` readers; the full statistics are in the upload. */
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
