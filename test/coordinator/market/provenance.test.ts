import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import { csvRows, near, sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketApp } from './filled-market.ts';

interface Stored {
  label: string;
  row: number;
  hash: string;
  evidence: string | null;
  sized: boolean;
  offer: string | null;
  original_price: number;
  gpu_count: number;
  price_type: number;
  slug: string;
  sha256: string;
}

/** The first eight bytes, in hex. */
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);
const bytesOf = (path: string): Buffer => readFileSync(sharedPath(path));
const linesOf = (bytes: Buffer): string[] => bytes.toString().trimEnd().split(/\r?\n/);

describe('an observation of the publishers’ files leads back to its row', { skip: withoutShared }, async () => {
  const market = await marketApp({ after });

  const stored = async (source: string, path: string): Promise<Stored[]> => {
    const connector = allConnectors.find(({ name }) => name === source) ?? assert.fail(source);
    const asOf = /\d{4}-\d{2}-\d{2}/.test(path) ? {} : { asOf: '2026-10-10' };
    const [report] = await market.ingest(connector, sharedPath(path), asOf);
    assert.ok(report?.kind === 'stored', path);
    const rows = await market.platform.sql<Stored[]>`
      select o.label, o.row, encode(o.row_hash, 'hex') as hash, o.evidence, o.sized, o.offer, o.original_price, o.gpu_count,
        o.price_type, p.slug, encode(r.content_sha256, 'hex') as sha256
      from observation o join product p using (product_id) join ingest_run r on r.id = o.run_id
      where o.run_id = ${report.run.runId}`;
    assert.ok(rows.length > 0);
    return [...rows];
  };

  test('CSV: row N without the header has that hash, that label, that machine and that price', async () => {
    const path = 'rental/fsdl-cloud-gpus/cloud-gpus.2024-05-20.csv';
    const rows = await stored('fsdl-cloud', path);
    const bytes = bytesOf(path);
    const [, ...lines] = linesOf(bytes);
    const cells = csvRows(bytes.toString());
    for (const { row, hash, label, original_price, gpu_count, price_type, sha256 } of rows) {
      const [line = '', said = {}] = [lines[row - 1], cells[row - 1]];
      assert.equal(hash, hashOf(line), line);
      assert.equal(label, said['GPU Type']);
      assert.equal(gpu_count, Number(said['GPUs']));
      near(original_price, Number(said[price_type === 0 ? 'On-demand' : 'Spot']) / gpu_count);
      assert.equal(sha256, createHash('sha256').update(bytes).digest('hex'));
    }
    assert.ok(rows.length > 200);
  });

  test('JSON Lines: line N has that hash and is of that GPU', async () => {
    const path = 'rental/primeintellect-summary/B200_180GB.jsonl.gz';
    const rows = await stored('prime-intellect', path);
    const lines = linesOf(gunzipSync(bytesOf(path)));
    for (const { row, hash, label } of rows) {
      assert.equal(hash, hashOf(lines[row - 1] ?? ''));
      assert.equal(label, (JSON.parse(lines[row - 1] ?? '') as { gpu_type: string }).gpu_type);
    }
  });

  test('a document: item N, written without blanks, has that hash; what names no GPU is kept by its machine type', async () => {
    const path = 'rental/provider-api-samples/azure.retail-prices-items.json';
    const rows = await stored('azure-retail', path);
    const items = JSON.parse(bytesOf(path).toString()) as { armSkuName: string; retailPrice: number }[];
    for (const { row, hash, label, evidence, original_price, gpu_count } of rows) {
      const item = items[row - 1] ?? assert.fail(String(row));
      assert.equal(hash, hashOf(JSON.stringify(item)));
      assert.deepEqual([label, evidence], [item.armSkuName, 'machine type']);
      near(original_price * gpu_count, item.retailPrice);
    }
  });

  test('a pair of machine type and region of the EC2 list: its record is type, region and prices', async () => {
    const path = 'rental/aws-ec2instances/gpu_instances.linux-only.2025-11-30.json.gz';
    const rows = await stored('ec2instances', path);
    const list = JSON.parse(gunzipSync(bytesOf(path)).toString()) as {
      instance_type: string;
      GPU_model: string;
      pricing: Record<string, unknown>;
    }[];
    const records = list.flatMap(({ instance_type, GPU_model, pricing }) =>
      Object.entries(pricing).map(([region, prices]) => ({
        label: GPU_model,
        offer: instance_type,
        hash: hashOf(JSON.stringify([instance_type, region, prices])),
      })),
    );
    for (const { row, label, offer, hash } of rows) assert.deepEqual({ label, offer, hash }, records[row - 1]);
  });

  test('what a source states beside the label, and what it leaves open, is said', async () => {
    const rows = await stored('vast-bundles', 'rental/provider-api-samples/vast.search-asks.json');
    const memory = new Set(rows.filter(({ evidence }) => evidence === 'memory').map(({ label }) => label));
    assert.ok(memory.size > 0 && [...memory].every((label) => !/GB/.test(label)), [...memory].join());
    assert.ok(rows.every(({ sized }) => sized));
    const medians = await stored('neocloud-daily', 'rental/neocloud-daily/neocloud_daily_median.csv');
    assert.ok(medians.every(({ sized, evidence }) => !sized && evidence === null));
  });
});
