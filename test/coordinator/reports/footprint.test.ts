import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Site } from '../../../coordinator/jobs/footprint/site-of.ts';
import { renderPdf } from '../../../coordinator/reports/render-pdf.ts';
import type { JobReport, ReportNode, TaskReport } from '../../../coordinator/reports/report-model.ts';
import { upload } from '../jobs/upload.ts';
import { customer, job, node, quickMark } from './examples/parts.ts';
import { cpuTask, simulatedTask } from './examples/reports.ts';
import { pdfText } from './pdf-text.ts';

const site: Site = {
  place: {
    carbon_emission_rate: 418,
    emission_factor_type: 'lifecycle',
    carbon_region_code: 'US-MIDA-PJM',
    resolved_by: 'the place that the provider names',
    location: 'aws us-east-1',
    source: 'Electricity Maps, yearly carbon intensity by zone, 2025',
    source_year: 2025,
  },
  reason: null,
  product: { slug: 'nvidia-h100-sxm-80gb', model: 'NVIDIA H100 80GB HBM3', tdp: 700 },
  price: { usd_per_gpu_hour: 2.5, price_date: '2026-11-20', provider_count: 37, sample_size: 1204 },
};

/** Two H100 of 640 W, 715 TFLOP/s and 4.4 Wh each. */
function measuredNode(overrides: Partial<ReportNode> = {}): ReportNode {
  const { quick_mark } = upload('machine', [{}, {}]).benchmark_results;
  return node({ results: [quickMark(quick_mark)], site, ...overrides });
}

const task = (one: ReportNode): TaskReport => ({ kind: 'task', customer, job, node: one });
const textOf = async (report: TaskReport | JobReport): Promise<string> =>
  pdfText(await renderPdf(report)).replaceAll(/\s+/g, ' ');

test('a node: Wh, grams, factor with its source, per PFLOP, cost with day, providers and observations', async () => {
  const text = await textOf(task(measuredNode()));
  // 8.8 Wh x 418 g/kWh; 1280 W / 1430 TFLOP/s x 1000 / 3.6e6 J x 418; the same at 1400 W; 2 x 2.50 USD; / 1.43 PFLOP/s
  for (const said of ['8.800 Wh', '3.678 g CO2e', '418.0 g CO2e/kWh, lifecycle', 'US-MIDA-PJM', '0.1039 g', '0.1137 g'])
    assert.ok(text.includes(said), said);
  for (const said of [
    '5.000 USD per hour (2.500 per GPU)',
    '3.497 USD',
    '2026-11-20',
    '37 providers',
    '1,204 observations',
  ])
    assert.ok(text.includes(said), said);
});

test('where there is no figure the reason stands there; a simulated node has no such section', async () => {
  assert.match(await textOf(cpuTask()), /Carbon: not available\. The energy of processor was not measured: no RAPL/);
  const nowhere = await textOf(
    task(measuredNode({ site: { ...site, place: null, reason: 'nobody said where', price: null } })),
  );
  assert.match(nowhere, /Carbon: not available\. Nobody said where\./);
  assert.match(nowhere, /Cost: the product has no on-demand price younger than 30 days/);
  assert.ok(!(await textOf(simulatedTask())).includes('Carbon and cost'));
});

test('a job: sums by basis, which are not mixed, and nodes without a figure by name', async () => {
  const direct: Site = { ...site, place: site.place && { ...site.place, emission_factor_type: 'direct' } };
  const nodes = [
    measuredNode(),
    measuredNode({ taskId: '2', hostname: 'other', site: direct }),
    measuredNode({ taskId: '3', hostname: 'lost-place', site: { ...site, place: null, reason: 'nobody said where' } }),
  ];
  const rest = { warnings: [], results: [], network: null, performance: null, judgement: null, scoreboard: null };
  const text = await textOf({ kind: 'job', customer, job, nodes, ...rest });
  assert.match(text, /Emitted \(lifecycle\) 3\.678 g CO2e for 8\.800 Wh, 1 node of 3/);
  assert.match(text, /Emitted \(direct\) 3\.678 g CO2e/);
  assert.match(text, /15\.00 USD per hour, 3 nodes of 3/);
  assert.match(text, /lost-place.*no carbon figure\. Nobody said where\./);
});
