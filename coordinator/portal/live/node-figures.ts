import { z } from 'zod';
import { bandwidthMatrix, type BandwidthCell } from '../../contract/bandwidth-matrix.ts';
import { togetherFigure, type TogetherFigure } from '../../contract/figure-verdict.ts';
import { quickMarkMetrics, quickMarkResults, type QuickMarkMetric } from '../../contract/quick-mark.ts';

import { Cache } from '../../platform/cache.ts';
import type { Queryable } from '../../platform/db/client.ts';
import { readResultTexts, selectResultIds } from '../queries/node-results.ts';

/** One device of a node, reduced to what the job's page shows. */
export interface DeviceFigures {
  id: string;
  vendor: 'nvidia' | 'amd' | 'cpu';
  values: ReadonlyMap<QuickMarkMetric, number>;
  /** sample count of a value, and the 5th and 95th percentile of the samples */
  stats: ReadonlyMap<QuickMarkMetric, { n: number; p5: number; p95: number }>;
  unavailable: Readonly<Record<string, string>>;
  together: Readonly<Record<string, TogetherFigure>>;
}

export interface NodeFigures {
  devices: readonly DeviceFigures[];
  copies: readonly BandwidthCell[];
  /** null if its agent did not report it */
  tier: string | null;
}

/** Results never change once stored, so a process keeps this many; a node of 8 GPUs takes about 20 KiB here. */
const MOST_KEPT = 2048;
const kept = new Cache<string, NodeFigures>(MOST_KEPT);

/** The results of each node of the job, by task. */
export async function readNodeFigures(
  sql: Queryable,
  job: { jobId: string; customerId: string },
): Promise<ReadonlyMap<string, NodeFigures>> {
  const of = await selectResultIds(sql, job);
  const found = new Map(of.map(({ result_id }) => [result_id, kept.get(result_id)]));
  const unknown = [...found].flatMap(([id, figures]) => (figures === undefined ? [id] : []));
  for await (const { id, results } of readResultTexts(sql, unknown)) {
    const figures = figuresIn(JSON.parse(results));
    found.set(id, figures);
    kept.set(id, figures);
  }
  return new Map(
    of.flatMap(({ task_id, result_id }) => {
      const figures = found.get(result_id);
      return figures === undefined ? [] : [[task_id, figures] as const];
    }),
  );
}

const stats = z.looseObject({ stats: z.looseObject({ n: z.number(), p5: z.number(), p95: z.number() }) });
const record = z.record(z.string(), z.unknown());

/** The device in the format validated at upload; fields that an earlier agent sent differently are left out. */
const device = z.looseObject({
  gpu_id: z.string(),
  vendor: z.enum(['nvidia', 'amd', 'cpu']),
  details: record.catch({}),
  unavailable: z.record(z.string(), z.string()).catch({}),
  together: record.optional().catch({}),
});
const results = z.looseObject({
  tier: quickMarkResults.shape.tier.catch(undefined),
  test_results: z.array(z.unknown()).catch([]),
  aggregate_results: z.looseObject({ gpu_bandwidth_matrix: bandwidthMatrix.optional().catch([]) }).catch({}),
});

/** Reads a node's figures from a stored QuickMark. */
export function figuresIn(stored: unknown): NodeFigures {
  const read = results.safeParse(stored).data;
  const devices = (read?.test_results ?? []).flatMap((one) => {
    const parsed = device.safeParse(one);
    return parsed.success ? [deviceIn(parsed.data)] : [];
  });
  return { devices, copies: read?.aggregate_results.gpu_bandwidth_matrix ?? [], tier: read?.tier ?? null };
}

function deviceIn(one: z.output<typeof device>): DeviceFigures {
  const values = new Map<QuickMarkMetric, number>();
  const spreads: [QuickMarkMetric, { n: number; p5: number; p95: number }][] = [];
  for (const metric of quickMarkMetrics) {
    const value = one[metric];
    if (typeof value !== 'number') continue;
    values.set(metric, value);
    const read = stats.safeParse(one.details[metric]);
    if (read.success) spreads.push([metric, read.data.stats]);
  }
  return {
    id: one.gpu_id,
    vendor: one.vendor,
    values,
    stats: new Map(spreads),
    unavailable: one.unavailable,
    together: Object.fromEntries(parsedMembers(one.together ?? {}, togetherFigure)),
  };
}

const parsedMembers = <S extends z.ZodType>(given: Record<string, unknown>, schema: S): [string, z.output<S>][] =>
  Object.entries(given).flatMap(([name, value]): [string, z.output<S>][] => {
    const read = schema.safeParse(value);
    return read.success ? [[name, read.data]] : [];
  });
