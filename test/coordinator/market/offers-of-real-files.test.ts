import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import { offersOfDays } from '../../../coordinator/market/pricing/offers-of-days.ts';
import { loadVoteTerms } from '../../../coordinator/market/pricing/load-judging.ts';
import type { Fate, Offer } from '../../../coordinator/market/pricing/standard-offers.ts';
import { votesOf } from '../../../coordinator/market/pricing/votes-of-offers.ts';
import { linearMedian } from '../../../coordinator/figures/statistics.ts';
import { csvRows, near, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from './filled-market.ts';

interface Observed {
  source: string;
  provider: string;
  slug: string;
  label: string;
  region: string | null;
  offer: string | null;
  gpu_count: number;
  price: number;
  price_type: number;
  segment: string | null;
  doubt: string | null;
  evidence: string | null;
}

const byText = (a: string, b: string): number => a.localeCompare(b);

describe('what the publishers’ files say of one offer', { skip: withoutShared }, async () => {
  const market = await marketApp({ after });

  const read = async (source: string, path: string, asOf?: string): Promise<void> => {
    const connector = allConnectors.find(({ name }) => name === source) ?? assert.fail(source);
    const [report] = await market.ingest(connector, sharedPath(path), asOf === undefined ? {} : { asOf });
    assert.ok(report?.kind === 'stored', path);
  };
  const observed = async (source: string): Promise<Observed[]> => [
    ...(await market.platform.sql<Observed[]>`
      select r.source, v.slug as provider, p.slug, o.label, o.region, o.offer, o.gpu_count, o.price, o.price_type, o.segment,
        o.doubt, o.evidence
      from observation o join product p using (product_id) join provider v using (provider_id) join ingest_run r on r.id = o.run_id
      where r.source = ${source} order by o.row, o.price_type desc`),
  ];

  test('p5.48xlarge of us-east-1 stands in three sources under two names of the region, and votes once', async () => {
    const day = '2026-10-10';
    await read('observations', 'rental/observatory/multi_provider_observations.2026-10-10.sample.csv');
    await read('aws-pricing-page', 'rental/provider-api-samples/aws.ec2-pricing-page.json', day);
    await read('skypilot', 'rental/skypilot-catalog-v8/aws.vms.sample.csv', day);
    const fates = new Map<Offer, Fate>();
    const p5 = await market.platform.sql.begin(async (tx) => {
      const terms = await loadVoteTerms(tx);
      for await (const { offers } of offersOfDays(tx, [day])) votesOf(offers, terms, fates);
      return [...fates].filter(
        ([{ offer, region, price_type }]) => offer === 'p5.48xlarge' && region === 'us-east-1' && price_type === 0,
      );
    });
    assert.deepEqual(p5.map(([{ source, price }, fate]) => `${source} ${price} ${fate}`).toSorted(byText), [
      'aws-pricing-page 6.88 votes',
      'observations 6.88 same-offer',
      'skypilot 6.88 same-offer',
    ]);
  });

  test('AWS’s T4 of May 2024: a machine that the table has three times counts once, 0.978 in place of 1.20', async () => {
    const path = 'rental/fsdl-cloud-gpus/cloud-gpus.2024-05-20.csv';
    await read('fsdl-cloud', path);
    const said = csvRows(readFileSync(sharedPath(path), 'utf8'))
      .filter((row) => row['Cloud'] === 'AWS' && row['GPU Type'] === 'T4 (16 GB)')
      .map((row) => Number(row['On-demand']) / Number(row['GPUs']));
    assert.deepEqual([said.length, linearMedian(said)], [9, 1.2]);
    const t4 = (await observed('fsdl-cloud')).filter(
      ({ provider, slug, price_type }) => provider === 'aws' && slug === 'nvidia-t4-16gb' && price_type === 0,
    );
    assert.equal(t4.length, 7);
    near(linearMedian(t4.map(({ price }) => price)), 0.9775);
  });

  test('a card that is listed in two colours at one price is one offer: 23 rows, 22 prices, 21 cards', async () => {
    const path = 'retail/pcpartpicker/video-card.2025-07-23.csv.gz';
    await read('pc-part', path);
    const chipset = 'GeForce RTX 5060 Ti';
    const rows = csvRows(gunzipSync(readFileSync(sharedPath(path))).toString()).filter(
      (row) => row['chipset'] === chipset && row['memory'] === '8' && row['price'] !== '',
    );
    const ours = (await observed('pc-part')).filter(({ slug }) => slug === 'nvidia-geforce-rtx-5060-ti-8gb');
    assert.deepEqual([rows.length, ours.length, new Set(ours.map(({ offer }) => offer)).size], [23, 22, 21]);
  });

  test('labels that name another card than the machine has are given the machine’s, and what decided is kept', async () => {
    await read('aggregator', 'rental/observatory/aggregator_observations.2026-02-11.sample.csv');
    const azure = (await observed('aggregator')).filter(({ provider }) => provider === 'azure');
    assert.deepEqual(
      azure.map(({ label, slug, price_type, evidence }) => [label, slug, price_type, evidence?.match(/NC\d+ads/)?.[0]]),
      [
        ['A100_SXM_80GB', 'nvidia-a100-pcie-80gb', -1, 'NC24ads'],
        ['H100_SXM', 'nvidia-h100-nvl-94gb', 0, 'NC40ads'],
      ],
    );
    const lambda = (await observed('fsdl-cloud')).filter(
      ({ provider, label }) => provider === 'lambda' && label === 'A10G (24 GB)',
    );
    assert.deepEqual(
      lambda.map(({ slug, evidence }) => [slug, evidence]),
      [['nvidia-a10-24gb', 'Lambda lets gpu_1x_a10; the A10G is made for AWS alone']],
    );
  });

  test('a bare label is read where the machine, its size or the provider’s only offer decides; the rest stays unread', async () => {
    const rows = await observed('fsdl-cloud');
    const of = (provider: string, label: string, gpus: number): string[] => [
      ...new Set(
        rows
          .filter((one) => one.provider === provider && one.label === label && one.gpu_count === gpus)
          .map(({ slug }) => slug),
      ),
    ];
    assert.deepEqual(of('gcp', 'V100 (16 GB)', 8), ['nvidia-v100-sxm-16gb']);
    assert.deepEqual(of('gcp', 'P100 (16 GB)', 1), ['nvidia-p100-pcie-16gb']);
    assert.deepEqual(of('lambda', 'A100 (40 GB)', 4), ['nvidia-a100-pcie-40gb']);
    assert.deepEqual(of('lambda', 'A100 (40 GB)', 8), ['nvidia-a100-sxm-40gb']);
    assert.deepEqual(of('lambda', 'A100 (40 GB)', 1), [], 'Lambda lets both cards alone');
    assert.deepEqual(of('verda', 'A100 (80 GB)', 2), ['nvidia-a100-sxm-80gb']);
    assert.deepEqual(of('ovhcloud', 'V100 (32 GB)', 1), ['nvidia-v100s-32gb']);
    assert.deepEqual(of('oci', 'A100 (40 GB)', 8), ['nvidia-a100-sxm-40gb']);
    const typo = rows.filter(({ provider, label }) => provider === 'oci' && label === 'A100 (40 GB)');
    assert.ok(typo.length > 0 && typo.every(({ offer }) => offer === 'BM.GPU4.8'), 'the table writes BM.GPU.A4.8');
    assert.deepEqual(of('paperspace', 'A100 (80 GB)', 8), [], 'nothing says which');
  });

  test('local zones, government regions and parts of a card are markets of their own in the EC2 list', async () => {
    const path = 'rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz';
    await read('ec2instances', path);
    const rows = await observed('ec2instances');
    const regions = (segment: string | null): Set<string> =>
      new Set(rows.filter((one) => one.segment === segment).map(({ region }) => region ?? ''));
    assert.ok([...regions('government')].every((region) => region.startsWith('us-gov-')));
    assert.ok([...regions('local-zone')].every((region) => /-\d-(?:[a-z]{3}-\d|wl\d)/.test(region)));
    assert.ok(
      [...regions(null)].every((region) => /^[a-z]{2}(?:-[a-z]+)+-\d$/.test(region) && !region.includes('gov')),
    );
    const parts = rows.filter(({ segment }) => segment === 'fraction');
    assert.deepEqual([...new Set(parts.map(({ offer }) => offer ?? ''))].toSorted(byText), [
      'g6f.2xlarge',
      'g6f.4xlarge',
      'g6f.large',
      'g6f.xlarge',
      'gr6f.4xlarge',
    ]);
    assert.ok(rows.every(({ gpu_count, segment }) => gpu_count >= 1 || segment !== null));
  });

  test('serverless, partners’ machines, minima and Azure for governments too', async () => {
    await read('fsdl-serverless', 'rental/fsdl-cloud-gpus/serverless-gpus.2024-05-07.csv');
    await read('runpod-gpu-types', 'rental/provider-api-samples/runpod.graphql-gpuTypes.json', '2026-10-10');
    await read('cheapest-by-provider', 'rental/observatory/cheapest_by_provider.2026-10-01.jsonl');
    await read('azure-retail', 'rental/provider-api-samples/azure.retail-prices-items.json', '2026-10-10');
    const segmentsOf = async (source: string, key: 'offer' | 'region' | 'source'): Promise<Record<string, string[]>> =>
      Object.fromEntries(
        [...Map.groupBy(await observed(source), ({ segment }) => segment ?? '')].map(([segment, rows]) => [
          segment,
          [...new Set(rows.map((row) => row[key] ?? ''))],
        ]),
      );
    assert.deepEqual(await segmentsOf('fsdl-serverless', 'source'), { serverless: ['fsdl-serverless'] });
    assert.deepEqual(await segmentsOf('runpod-gpu-types', 'offer'), { '': ['secure'], community: ['community'] });
    assert.deepEqual(await segmentsOf('cheapest-by-provider', 'source'), { minimum: ['cheapest-by-provider'] });
    assert.deepEqual((await segmentsOf('azure-retail', 'region'))['government'], ['usgovvirginia']);
  });

  test('a spot price that equals the price on demand of another region is doubted: H200 of Azure at 106.00 in London', async () => {
    const doubted = (await observed('azure-retail')).filter(({ doubt }) => doubt !== null);
    assert.deepEqual(
      doubted.map(({ offer, region, price_type, price, doubt }) => [offer, region, price_type, price * 8, doubt]),
      [['Standard_ND96isr_H200_v5', 'uksouth', -1, 106, 'spot-equals-on-demand']],
    );
  });

  test('half of Prime Compute’s 1.40 is spot: the mean of 1.00 and 1.80 is doubted wherever it stands', async () => {
    await read('prime-intellect', 'rental/primeintellect-summary/H100_80GB_SXM5.jsonl.gz');
    const means = (await observed('prime-intellect')).filter(
      ({ provider, offer }) => provider === 'primecompute' && offer?.startsWith('mean') === true,
    );
    const [mixed, clean] = [means.filter(({ doubt }) => doubt !== null), means.filter(({ doubt }) => doubt === null)];
    assert.ok(mixed.length > 60 && mixed.every(({ doubt }) => doubt === 'mixed-terms'));
    assert.deepEqual([...new Set(clean.map(({ price }) => price))], [1.8]);
  });
});
