import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { ownFormats } from '../../../coordinator/commands/format-help.ts';
import { allCarbonConnectors, allTokenConnectors } from '../../../coordinator/ingest/carbon-and-token-connectors.ts';
import { allConnectors } from '../../../coordinator/ingest/connectors/all-connectors.ts';
import { marketCommands } from '../market/market-commands.ts';

const readme = readFileSync(new URL('../../../coordinator/ingest/README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```csv\n([^`]+)```/g)].map(([, text = '']) => text);

describe('the formats that are ours', async () => {
  const market = await marketCommands({ after });

  test('each has its columns in the help of its source', async () => {
    const own = [...allConnectors, ...allTokenConnectors, ...allCarbonConnectors].filter(({ title }) =>
      title.includes('own format'),
    );
    assert.deepEqual(own.map(({ name }) => name).toSorted(), Object.keys(ownFormats).toSorted());
    for (const { name } of own) {
      const { code, stdout } = await market.command('ingest', name, '--help');
      assert.equal(code, 0);
      for (const [column] of ownFormats[name] ?? []) assert.match(stdout, new RegExp(`^  ${column} `, 'm'), name);
    }
    assert.doesNotMatch((await market.command('ingest', 'skypilot', '--help')).stdout, /gpu_model/);
  });

  test('a file with every column of the help is read, and without one that must be there is not', async () => {
    const columns = (ownFormats['observations'] ?? []).map(([column]) => column);
    const cells: Record<string, string> = {
      date: '2026-05-07',
      provider: 'Lambda',
      gpu_model: 'H100 SXM',
      gpu_count: '8',
      pricing: 'on_demand',
      usd_per_gpu_hour: '2.5',
      collected_at: '2026-05-07T12:00:00Z',
      currency: 'USD',
      cluster_size: '1',
      memory_gb: '80',
      form_factor: 'SXM',
    };
    const file = (kept: readonly string[]): Promise<string> =>
      market.file('all.csv', `${kept.join(',')}\n${kept.map((column) => cells[column] ?? '').join(',')}\n`);
    assert.match((await market.command('ingest', 'observations', await file(columns))).stdout, /1 read, 1 kept/);
    for (const [column, takes] of ownFormats['observations'] ?? []) {
      if (takes.startsWith('optional')) continue;
      const without = await file(columns.filter((one) => one !== column));
      assert.match((await market.command('ingest', 'observations', without)).stderr, /it has no column/, column);
    }
  });

  test('the examples of the README are read whole', async () => {
    const [rental = '', retail = ''] = examples;
    assert.equal(examples.length, 2);
    const rented = await market.command('ingest', 'observations', await market.file('rental.csv', rental));
    assert.match(rented.stdout, /: 3 read, 3 kept \(2026-05-08\)\n$/);
    const sold = await market.command('ingest', 'retail-csv', await market.file('retail.csv', retail));
    assert.match(sold.stdout, /: 2 read, 2 kept \(2026-05-08\)\n$/);
  });
});
