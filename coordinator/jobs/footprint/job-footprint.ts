import type { JobFootprint } from '../../contract/footprint.ts';
import type { Context } from '../../platform/context.ts';
import { footprintOf } from './footprint-of.ts';
import { selectMeasured } from './queries.ts';
import { siteOf } from './site-of.ts';
import { sumFootprints } from './sum-footprints.ts';

/** Sums over the nodes that have a figure. Null: none was measured, or all are simulated. */
export async function jobFootprint(context: Context, jobId: string): Promise<JobFootprint | null> {
  const rows = await selectMeasured(context.sql, jobId);
  const found = await Promise.all(
    rows.map(async (row) => {
      const { location, gpu_model: model, memory_bytes: memoryBytes, ended_at: endedAt, measured } = row;
      if (row.simulated) return [];
      const footprint = footprintOf(await siteOf(context, { location, model, memoryBytes, endedAt }), measured);
      return footprint ? [{ task_id: row.task_id, ...footprint }] : [];
    }),
  );
  const known = found.flat();
  return known.length === 0 ? null : sumFootprints(known);
}
