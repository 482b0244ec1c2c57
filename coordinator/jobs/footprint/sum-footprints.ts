import type { Footprint, JobFootprint } from '../../contract/footprint.ts';

/** Nodes whose reason is told. */
const MOST_REASONS = 10;

/** Of nodes together; by basis, for figures of two bases are not added up. */
export function sumFootprints(known: readonly (Footprint & { task_id: string })[]): JobFootprint {
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
