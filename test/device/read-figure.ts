import { z } from 'zod';
import type { ResultEvent } from '../../agent/kernels/runner-events.ts';
import type { FigureSpec } from './figures.ts';

/** One round's figure, or why there is none. */
export type Reading =
  | { value: number; n: number | null; cv: number | null; result: ResultEvent }
  | { value: null; reason: string };

const series = z.object({ gbs: z.number(), n: z.int(), cv: z.number() });

/** Looks a figure up in the results of one device. */
export function readFigure(spec: FigureSpec, results: readonly ResultEvent[]): Reading {
  const result = results.find((one) => one.metric === spec.metric);
  if (result === undefined) return { value: null, reason: `the runner did not answer ${spec.metric}` };
  if (result.value === null) return { value: null, reason: result.reason ?? 'the runner gave no reason' };
  if (result.verified === false) return { value: null, reason: 'the runner found its result wrong' };
  if (spec.detail === undefined) {
    return { value: result.value, n: result.stats?.n ?? null, cv: result.stats?.cv ?? null, result };
  }
  const detail = result.details[spec.detail];
  if (typeof detail === 'number') return { value: detail, n: null, cv: null, result };
  const read = series.safeParse(detail);
  if (read.success) return { value: read.data.gbs, n: read.data.n, cv: read.data.cv, result };
  return { value: null, reason: `${spec.metric} came without ${spec.detail}` };
}
