import type { ResultEvent } from './runner-events.ts';

/** The figure that a result event reports, as people and `--json` readers see it; the full statistics go into the upload. */
export const figureOf = ({ metric, value, unit, reason, verified, stats }: ResultEvent) => ({
  metric,
  value,
  unit,
  reason,
  verified,
  n: stats?.n ?? null,
  cv: stats?.cv ?? null,
});
