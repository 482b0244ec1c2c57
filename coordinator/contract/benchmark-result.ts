import { z } from '@hono/zod-openapi';
import { benchmarkState } from './agent-protocol.ts';
import { sizeCaps } from './size-caps.ts';
import { instant } from './wire.ts';

/** The entry under a benchmark's id in a job, a task or a list. */
export const benchmarkResult = z
  .object({
    benchmark_id: z.string(),
    benchmark_name: z.string(),
    started_at: instant.nullable(),
    ended_at: instant.nullable().optional(),
    completed_at: instant.nullable().optional(),
    config: z.looseObject({}).nullable(),
    results: z.looseObject({}).nullable(),
    state: benchmarkState,
    error_message: z.string().nullable(),
    raw_details_url: z
      .string()
      .optional()
      .meta({
        description:
          `Ours, additive: signed, expiring URL of the whole result as JSON. Present where it is over ${sizeCaps.inlineResultBytes} ` +
          'bytes: then `details` here hold the spread and the verification of each figure alone',
      }),
  })
  .meta({ id: 'BenchmarkResult' });
export type BenchmarkResult = z.infer<typeof benchmarkResult>;
