import type { Footprint } from '../../contract/footprint.ts';
import { footprintOf, sumFootprints } from '../../jobs/footprint/footprint-of.ts';
import { nodeName } from '../facts/node-names.ts';
import { infoOf } from '../facts/metrics.ts';
import { printCount, printNumber } from '../facts/print-number.ts';
import { heading, keyValues, note, paragraph } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import type { ReportNode } from '../report-model.ts';

/** Maximum nodes without a figure that are named. */
const MOST_NAMED = 3;

const nodeFootprint = (node: ReportNode): Footprint | null =>
  node.simulated
    ? null
    : footprintOf(node.site, node.results.find(({ benchmarkId }) => benchmarkId === 'quick_mark')?.results);

/** Emissions of the run at its location, and cost of the machine per hour. */
export function footprintSection(paper: Paper, node: ReportNode): void {
  const footprint = nodeFootprint(node);
  if (!footprint || !heading(paper, 'Carbon and cost', 60)) return;
  const { carbon, carbon_reason, cost } = footprint;
  if (carbon) {
    const { per_pflop } = carbon;
    keyValues(paper, [
      ['Energy of the run', `${printNumber(carbon.energy_wh)} Wh, by the counters of its devices`],
      ['Emitted', `${printNumber(carbon.g_co2e)} g CO2e`],
      ['Factor', factorText(carbon)],
      ['Place', `${carbon.location}: ${carbon.carbon_region_code}, ${carbon.resolved_by}`],
      ['Per PFLOP', per_pflop && `${printNumber(per_pflop.g_co2e_measured)} g CO2e at the measured power`],
      [
        'By data sheet',
        per_pflop?.g_co2e_at_tdp == null
          ? null
          : `${printNumber(per_pflop.g_co2e_at_tdp)} g CO2e at the power of the data sheet`,
      ],
    ]);
  } else paragraph(paper, `Carbon: not available. ${sentence(carbon_reason ?? 'No reason is known')}`);
  if (!cost)
    return note(paper, 'Cost: the product has no on-demand price younger than 30 days, or is not in the catalogue.');
  keyValues(paper, [
    ['Cost', `${printNumber(cost.usd_per_hour)} USD per hour (${printNumber(cost.usd_per_gpu_hour)} per GPU)`],
    ['Per PFLOP-hour', cost.usd_per_pflop_hour === null ? null : `${printNumber(cost.usd_per_pflop_hour)} USD`],
    [
      'Price',
      `${cost.product_slug} on demand, worldwide, ${cost.price_date}: ${printCount(cost.provider_count, 'provider')}, ${printCount(cost.sample_size, 'observation')}`,
    ],
  ]);
  const product = carbon?.per_pflop ? ` (${infoOf(carbon.per_pflop.metric).label})` : '';
  note(
    paper,
    `A PFLOP is 10¹⁵ operations${product} as the machine did them here; a PFLOP-hour is an hour at that many a second.`,
  );
}

/** The same for all nodes of a job together: sums over those that have a figure, and why others have none. */
export function jobFootprintSection(paper: Paper, nodes: readonly ReportNode[]): void {
  const known = nodes.flatMap((node) => {
    const footprint = nodeFootprint(node);
    return footprint ? [{ node, footprint }] : [];
  });
  if (known.length === 0 || !heading(paper, 'Carbon and cost', 60)) return;
  const { carbon: byBasis, cost } = sumFootprints(
    known.map(({ node, footprint }) => ({ task_id: node.taskId, ...footprint })),
  );
  const factors = new Set(known.flatMap(({ footprint: { carbon } }) => (carbon ? [factorText(carbon)] : [])));
  const days = new Set(known.flatMap(({ footprint }) => (footprint.cost ? [footprint.cost.price_date] : [])));
  keyValues(paper, [
    ...byBasis.map(({ emission_factor_type, nodes: count, energy_wh, g_co2e }): [string, string] => [
      `Emitted (${emission_factor_type})`,
      `${printNumber(g_co2e)} g CO2e for ${printNumber(energy_wh)} Wh, ${printCount(count, 'node')} of ${nodes.length}`,
    ]),
    ['Factors', [...factors].join('; ') || null],
    [
      'Cost',
      cost &&
        `${printNumber(cost.usd_per_hour)} USD per hour, ${printCount(cost.nodes, 'node')} of ${nodes.length}, by the newest on-demand prices worldwide (${[...days].toSorted().join(', ')})`,
    ],
  ]);
  const without = known.filter(({ footprint: { carbon } }) => carbon === null);
  for (const { node, footprint } of without.slice(0, MOST_NAMED))
    note(paper, `${nodeName(node)}: no carbon figure. ${sentence(footprint.carbon_reason ?? 'No reason is known')}`);
  if (without.length > MOST_NAMED)
    note(paper, `${without.length - MOST_NAMED} more nodes without one; their own reports say why.`);
}

const factorText = (carbon: NonNullable<Footprint['carbon']>): string =>
  `${printNumber(carbon.carbon_emission_rate)} g CO2e/kWh, ${carbon.emission_factor_type}; ${carbon.source}`;

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
