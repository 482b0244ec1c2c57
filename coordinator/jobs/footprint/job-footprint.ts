import type { JobFootprint } from '../../contract/footprint.ts';
import type { Context } from '../../platform/context.ts';
import { footprintOf } from './footprint-of.ts';
import { selectMeasured } from './queries.ts';
import { siteOf } from './site-of.ts';

/** Nodes whose reason is told. */
const MOST_REASONS = 10;

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
  if (known.length === 0) return null;
  const carbons = Map.groupBy(
    known.flatMap(({ carbon }) => carbon ?? []),
    ({ emission_factor_type }) => emission_factor_type,
  );
  const costs = known.flatMap(({ cost }) => cost ?? []);
  return {
    nodes: known.length,
    carbon: [...carbons].map(([emission_factor_type, ofBasis]) => ({
      emission_factor_type,
      nodes: ofBasis.length,
      energy_wh: sum(ofBasis.map(({ energy_wh }) => energy_wh)),
      g_co2e: sum(ofBasis.map(({ g_co2e }) => g_co2e)),
    })),
    without_carbon: known
      .flatMap(({ task_id, carbon_reason: reason }) => (reason === null ? [] : [{ task_id, reason }]))
      .slice(0, MOST_REASONS),
    cost:
      costs.length === 0
        ? null
        : { nodes: costs.length, usd_per_hour: sum(costs.map(({ usd_per_hour }) => usd_per_hour)) },
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
