import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { describeCurve } from '../../../coordinator/commands/forward-commands.ts';
import type { ForwardRecord } from '../../../coordinator/contract/forward.ts';
import { buildCurveArchives } from '../../../coordinator/forward/curve-archive.ts';
import { buildCurves } from '../../../coordinator/forward/build-curves.ts';
import { explainCurves } from '../../../coordinator/forward/explain-curve.ts';
import { loadRatios } from '../../../coordinator/forward/load-ratios.ts';
import { ec2instances } from '../../../coordinator/ingest/connectors/ec2instances.ts';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { hotMarket } from '../../../coordinator/market/hot-market.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from '../market/filled-market.ts';

const AWS = 'rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz';

describe('forward curves of AWS’s own price list', { skip: withoutShared }, async () => {
  const market = await marketApp({ after }, { now: new Date('2026-11-23T08:00:00Z') }, { tier: 'plus' });
  await market.ingest(ec2instances, sharedPath(AWS), { acceptCoverageDrop: true });
  await market.ingest(neocloudDaily, sharedPath('rental/neocloud-daily/neocloud_daily_median.csv'));
  await loadRatios(market.context, await readFile(sharedPath('forward/committed_use_ratios.2026-08-27.json'), 'utf8'));
  const built: { day: string; curves: number }[] = [];
  for await (const one of buildCurves(market.context, { from: '2015-01-01', to: '9999-12-31' })) built.push(one);
  const list = (body: object) =>
    market.post('/api/gpu-forward/list', body) as unknown as Promise<{ total: number; results: ForwardRecord[] }>;
  const refusal = async (body: object): Promise<string> => {
    const { status, body: answered } = await market.ask('POST', '/api/gpu-forward/list', body);
    assert.equal(status, 422, JSON.stringify(answered));
    return (answered as { detail: { msg: string }[] }).detail[0]?.msg ?? '';
  };

  test('there is one for each business day with rates of the 30 days before, and no second time', async () => {
    // 2025-11-30 is a Sunday; its rates are of now until 2025-12-30.
    assert.equal(built[0]?.day, '2025-12-01');
    assert.equal(built.at(-1)?.day, '2025-12-30');
    assert.equal(built.length, 22);
    for await (const again of buildCurves(market.context, { from: '2015-01-01', to: '9999-12-31' }))
      assert.fail(again.day);
    for await (const { outcome } of buildCurveArchives(market.context, { from: '2015-01-01', to: '9999-12-31' }))
      assert.equal(outcome, 'known');
  });

  test('the votes of the United States behind p4d, g6e and p5 give the figures worked by hand', async () => {
    const expected: [gpu: string, contract: string, digits: number, figure: string][] = [
      ['nvidia-a100-sxm-40gb', 'standard', 4, '0.8876'],
      ['nvidia-l40s-48gb', 'standard', 4, '0.6197'],
      ['nvidia-h100-sxm-80gb', 'convertible', 2, '4.87'],
    ];
    for (const [gpu, contract, digits, figure] of expected) {
      const [curve] = await explainCurves(market.context, await hotMarket(market.platform)(), {
        gpu,
        day: '2025-12-01',
      });
      const [aws] = curve?.inputs.providers ?? [];
      assert.equal(aws?.contract, contract);
      const rate = (tenor: number): number =>
        aws?.pairs.find((pair) => pair.country === 'US' && pair.tenor === tenor)?.rate ?? Number.NaN;
      assert.equal(((36 * rate(36) - 12 * rate(12)) / 24).toFixed(digits), figure, gpu);
    }
  });

  test('a rate of a date: term, forward, basis, who publishes; the newest curve unless days are named', async () => {
    const { total, results } = await list({ gpu: 'NVIDIA-A100-SXM-40GB', forward_date: '2026-12-30' });
    const [record] = results;
    assert.equal(total, 1);
    assert.ok(record);
    const { id, term_rate, forward_rate, flags, ...rest } = record;
    assert.match(id, /^\d{19}$/);
    assert.deepEqual(rest, {
      gpu: 'nvidia-a100-sxm-40gb',
      as_of: '2025-12-30',
      provider_source_type: 'Hyperscaler',
      forward_date: '2026-12-30',
      tenor_months: 12,
      basis: 'observed',
      providers: ['aws'],
    });
    assert.ok(forward_rate < term_rate && forward_rate > 0);
    assert.match(flags.join(), /based on one provider/);
    const december = await list({
      gpu: 'nvidia-a100-sxm-40gb',
      forward_date: '2027-06-01',
      as_of: '2025/12/01-2025/12/31',
      paginate: { num_per_page: 5, page_num: 2 },
    });
    assert.equal(december.total, 22);
    assert.deepEqual(
      december.results.map(({ as_of }) => as_of),
      ['2025-12-23', '2025-12-22', '2025-12-19', '2025-12-18', '2025-12-17'],
    );
  });

  test('where no rate of a term is published there is no curve, and the answer says so', async () => {
    for (const gpu of ['nvidia-h200-sxm-141gb', 'nvidia-b200-192gb', 'nvidia-b300-288gb', 'nvidia-v100-sxm-16gb'])
      assert.match(
        await refusal({ gpu, forward_date: '2026-06-01' }),
        /has no forward curve: no provider publishes term rates/,
        gpu,
      );
    assert.match(
      await refusal({ gpu: 'nvidia-a100-sxm-40gb', forward_date: '2026-06-01', provider_source_type: 'Neocloud' }),
      /no Neocloud publishes term rates/,
    );
  });

  test('a date that no curve reaches is refused with those that are allowed', async () => {
    const gpu = 'nvidia-a100-sxm-40gb';
    const allowed = /must be 2025-12-31 to 2029-01-02: after the day of the curve/;
    for (const forward_date of ['2025-12-30', '2029-01-03', '2020-01-01', '9999-12-31'])
      assert.match(await refusal({ gpu, forward_date }), allowed);
    for (const forward_date of ['2025-12-31', '2029-01-02']) assert.equal((await list({ gpu, forward_date })).total, 1);
    assert.match(await refusal({ gpu, forward_date: '2026-06-01', as_of: '2024-01-02' }), /newest is for 2025-12-30/);
    assert.match(await refusal({ gpu, forward_date: '2026-06-01', as_of: '2025/12/31-2025/12/01' }), /in its order/);
    assert.match(await refusal({ gpu: 'h100', forward_date: '2026-06-01' }), /Similar products: .*h100/);
  });

  test('download gives the whole curve: a point every quarter of a month, money summing to the longest contract', async () => {
    const { results } = await list({ gpu: 'nvidia-l40s-48gb', forward_date: '2026-12-30' });
    const { csv_download_url } = await market.post('/api/gpu-forward/download', { id: results[0]?.id });
    const answer = await market.app.fetch(new Request(String(csv_download_url)));
    const rows = parse(await answer.text(), { columns: true }) as Record<string, string>[];
    assert.equal(rows.length, 145);
    assert.deepEqual(Object.keys(rows[0] ?? {}), [
      'as_of',
      'gpu',
      'provider_source_type',
      'tenor_months',
      'term_rate',
      'forward_rate',
      'basis',
      'providers',
    ]);
    const money = rows.filter((_, at) => at % 2 === 1).reduce((sum, row) => sum + 0.5 * Number(row['forward_rate']), 0);
    const whole = 36 * Number(rows.at(-1)?.['term_rate']);
    assert.ok(Math.abs(money - whole) <= 1e-12 * whole);
    const unknown = await market.ask('POST', '/api/gpu-forward/download', { id: '1' });
    assert.equal(unknown.status, 404);
  });

  test('a curve is not changed once it is stored, by whatever is read later and by no statement', async () => {
    const gpu = 'nvidia-a100-sxm-40gb';
    const before = await list({ gpu, forward_date: '2026-12-30' });
    await market.ingest(ec2instances, sharedPath(AWS), { asOf: '2025-12-29', acceptCoverageDrop: true });
    for await (const again of buildCurves(market.context, { from: '2015-01-01', to: '2025-12-30' }))
      assert.fail(again.day);
    assert.deepEqual((await list({ gpu, forward_date: '2026-12-30', as_of: '2025-12-30' })).results, before.results);
    const { sql } = market.platform;
    await assert.rejects(sql`update forward_point set term_rate = 0`, /not changed once it is stored/);
    await assert.rejects(sql`delete from forward_curve`, /not changed once it is stored/);
  });

  test('forward explain prints the votes, the class of contract and who was left out', async (t) => {
    const products = await hotMarket(market.platform)();
    const curves = await explainCurves(market.context, products, { gpu: 'nvidia-h100-sxm-80gb', day: '2025-12-01' });
    const printed = curves.map(describeCurve).join('\n');
    assert.match(printed, /aws +2025-11-30 +convertible +US +12 +5\.4180 +6\.8800 +0\.7875/);
    assert.match(printed, /level on demand/);
    t.diagnostic(printed);
  });
});
