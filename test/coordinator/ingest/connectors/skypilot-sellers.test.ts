import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { gpuhunt } from '../../../../coordinator/ingest/connectors/gpuhunt.ts';
import { skypilot } from '../../../../coordinator/ingest/connectors/skypilot.ts';
import { readRates } from '../../../../coordinator/ingest/ecb-rates.ts';
import { openSource } from '../../../../coordinator/ingest/reading/open-source.ts';
import { gather } from '../../../../coordinator/ingest/reading/contents.ts';
import { unpack } from '../../../../coordinator/ingest/reading/unpack.ts';
import type { Rate } from '../../../../coordinator/market/ingestion/load-reference.ts';
import { dayOfMoreFiles, moreFiles, realRates } from '../real-files.ts';
import { csvRows, near, readAll, readShared, sharedPath, sourceOf, withoutShared } from '../read-source.ts';
import { seenByTables } from '../table-reference.ts';

const header = 'InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\n';
const skip = withoutShared;
const day = new Date(dayOfMoreFiles);

/** The bank's rates up to 2026-04-13, oldest first. */
async function bankRates(): Promise<Rate[]> {
  const name = sharedPath(realRates);
  const opened = await openSource(name);
  assert.ok(opened !== 'unchanged');
  for await (const file of unpack({ name, content: opened.content }))
    return readRates(file, (await gather(file, 2 ** 24)).toString()).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  return assert.fail(name);
}

test('Scaleway and Seeweb publish in EUR, which SkyPilot and gpuhunt do not say; the others in USD', async () => {
  for (const [cloud, currency] of [
    ['scaleway', 'EUR'],
    ['seeweb', 'EUR'],
    ['ovhcloud', 'USD'],
    ['verda', 'USD'],
    ['jarvislabs', 'USD'],
  ] as const) {
    const { listings } = await readAll(skypilot, sourceOf(`${cloud}/vms.csv`, `${header}m,L4,1,,0.75,,r\n`));
    assert.equal(listings[0]?.currency, currency, cloud);
  }
  const named = sourceOf('vms.csv', `${header}m,L4,1,,0.75,,r\n`, { provider: 'Scaleway' });
  assert.equal((await readAll(skypilot, named)).listings[0]?.currency, 'EUR', 'as the operator spells it');
  const catalogue =
    'instance_name,location,price,gpu_count,gpu_name,gpu_memory,spot\nECS1GPU6,it-fr2,0.38,1,L4,24.0,False\n';
  assert.equal((await readAll(gpuhunt, sourceOf('seeweb.csv', catalogue))).listings[0]?.currency, 'EUR');
  assert.equal((await readAll(gpuhunt, sourceOf('verda.csv', catalogue))).listings[0]?.currency, 'USD');
});

test('Scaleway’s rows by the bank’s rate of the day, and without rates not at all', { skip }, async () => {
  const reading = await readShared(skypilot, 'rental/skypilot-catalog-v8-2/scaleway.vms.csv', {
    asOf: day,
    provider: 'scaleway',
  });
  const seen = seenByTables(reading, await bankRates());
  // 1 EUR was 1.1711 USD on that Friday; RENDER-S is listed in two zones.
  const expected: [string, string, number][] = [
    ['RENDER-S', 'nvidia-p100-pcie-16gb', 1.2426],
    ['GPU-3070-S', 'nvidia-geforce-rtx-3070-8gb', 0.98],
    ['H100-1-80G', 'nvidia-h100-pcie-80gb', 2.52],
    ['H100-2-80G', 'nvidia-h100-pcie-80gb', 5.04 / 2],
  ];
  assert.deepEqual(
    seen.map(({ offer, product, country }) => [offer, product, country]),
    expected.map(([offer, product]) => [offer, product, 'FR']),
  );
  for (const [at, [, , euros]] of expected.entries()) near(seen[at]?.price ?? undefined, euros * 1.1711);
  assert.deepEqual(reading.refused, { 'same-in-every-zone': 1 });
  assert.deepEqual([...new Set(seenByTables(reading).map(({ product }) => product))], ['! no-rates']);
});

test('Mithril’s price is the least that its auction takes: no price on demand, and a spot price only above it', async () => {
  const rows = ['h100-80gb.sxm.8x,H100,8,,8.0,8.0,a', 'h200.8x,H200,8,,8.0,11.2,b', 'b200.8x,B200,8,,8.0,,c'];
  const { reads, lines } = await readAll(skypilot, sourceOf('mithril/vms.csv', header + rows.join('\n')));
  const why = 'the least that an auction takes, not a price that is paid';
  assert.deepEqual(lines, [
    `mithril/vms.csv, row 1: ${why} (h100-80gb.sxm.8x 8)`,
    `mithril/vms.csv, row 1: ${why} (h100-80gb.sxm.8x 8)`,
    `mithril/vms.csv, row 2: ${why} (h200.8x 8)`,
    `mithril/vms.csv, row 3: ${why} (b200.8x 8)`,
  ]);
  const kept = reads.flatMap((read) => ('listing' in read ? [read.listing] : []));
  assert.deepEqual(
    kept.map(({ offer, priceType, gpuCount }) => [offer, priceType, gpuCount]),
    [['h200.8x', -1, 8]],
  );
  near(kept[0]?.price, 1.4);
});

/** Counted in the files by another reader of CSV: prices (on demand and spot) of rows with an accelerator, rows without one. */
const counted: Record<
  string,
  { prices: number; without: number; refused?: Record<string, number>; unmatched: number }
> = {
  // H100 without a form factor, RTX PRO 6000 without an edition: 8 machines each, on demand and spot
  daytona: { prices: 112, without: 8, unmatched: 32 },
  hyperstack: { prices: 25, without: 0, unmatched: 0 },
  jarvislabs: { prices: 16, without: 7, unmatched: 8 },
  lium: { prices: 40, without: 0, unmatched: 3 },
  mithril: { prices: 8, without: 0, refused: { 'auction-floor': 8 }, unmatched: 0 },
  // A100 and V100 of 16 GB without a form factor
  ovhcloud: { prices: 42, without: 0, unmatched: 14 },
  scaleway: { prices: 5, without: 0, refused: { 'same-in-every-zone': 1 }, unmatched: 0 },
  yotta: { prices: 8, without: 0, unmatched: 0 },
};

test(
  'eight more clouds: every price is kept, refused for a reason, or has a label that is listed',
  { skip },
  async (t) => {
    const rates = await bankRates();
    assert.equal(moreFiles.skypilot.length, Object.keys(counted).length);
    for (const path of moreFiles.skypilot) {
      const cloud = /([a-z]+)\.vms\.csv$/.exec(path)?.[1] ?? '';
      const { prices, without, refused = {}, unmatched } = counted[cloud] ?? assert.fail(path);
      const rows = csvRows(readFileSync(sharedPath(path), 'utf8'));
      const ofGpus = rows.filter((row) => row['AcceleratorName'] !== '');
      const filled = ofGpus.flatMap((row) => [row['Price'], row['SpotPrice']]).filter((price) => price !== '');
      assert.deepEqual([filled.length, rows.length - ofGpus.length], [prices, without], path);
      const reading = await readShared(skypilot, path, { asOf: day, provider: null });
      assert.deepEqual(reading.refused, { ...(without > 0 ? { 'no-accelerator': without } : {}), ...refused }, path);
      const seen = seenByTables(reading, rates);
      const unknown = seen.filter(({ product }) => product.startsWith('-'));
      assert.equal(unknown.length, unmatched, JSON.stringify(unknown));
      assert.ok(seen.every(({ product, doubt }) => !product.startsWith('!') && doubt === null));
      const gone = Object.values(refused).reduce((sum, count) => sum + count, 0);
      assert.equal(seen.length, prices - gone);
      t.diagnostic(`${cloud}: ${rows.length} rows, ${seen.length - unmatched} prices kept, ${gone} refused`);
    }
  },
);
