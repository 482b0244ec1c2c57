import { z } from 'zod';
import type { ResultEvent } from '../../agent/kernels/runner-events.ts';
import type { FigureSpec } from './figures.ts';

/** One round's figure, or why there is none. */
export type Reading =
  | { value: number; n: number | null; cv: number | null; result: ResultEvent }
  | { value: null; reason: string; expected: boolean };

const series = z.object({ gbs: z.number(), n: z.int(), cv: z.number() });
const engine = z.union([z.object({ tflops: z.number(), cv: z.number() }), z.object({ reason: z.string() })]);

/** Looks a figure up in the results of one device. `expected`: this device or machine has no such thing, and nothing is wrong. */
export function readFigure(spec: FigureSpec, results: readonly ResultEvent[]): Reading {
  const none = (reason: string, expected = false): Reading => ({ value: null, reason, expected });
  const result = results.find((one) => one.metric === spec.metric);
  if (result === undefined) return none(`the runner did not answer ${spec.metric}`);
  if (result.value === null) {
    return none(result.reason ?? 'the runner gave no reason', result.details['absence'] === 'hardware');
  }
  if (result.verified === false) return none('the runner found its result wrong');
  if (spec.engine !== undefined) return readEngine(spec, spec.engine, result);
  if (spec.detail === undefined) {
    return { value: result.value, n: result.stats?.n ?? null, cv: result.stats?.cv ?? null, result };
  }
  const detail = result.details[spec.detail];
  if (typeof detail === 'number') return { value: detail, n: null, cv: null, result };
  const read = series.safeParse(detail);
  if (read.success) return { value: read.data.gbs, n: read.data.n, cv: read.data.cv, result };
  return none(`${spec.metric} came without ${spec.detail}`);
}

/** What one engine reached, whichever of them is the headline. */
function readEngine(spec: FigureSpec, name: 'vendor' | 'own', result: ResultEvent): Reading {
  const engines = z.record(z.string(), z.unknown()).safeParse(result.details['engines']);
  const read = engine.safeParse(engines.data?.[name]);
  if (!read.success)
    return { value: null, reason: `${spec.metric} says nothing of the engine ${name}`, expected: false };
  // A machine need not have the vendor's library; our own kernels are part of the runner.
  if ('reason' in read.data) return { value: null, reason: read.data.reason, expected: name === 'vendor' };
  return { value: read.data.tflops, n: null, cv: read.data.cv, result };
}
