import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { ProviderHome, RegionRow } from '../../../../coordinator/market/identity/match-country.ts';
import type { MatchableProduct } from '../../../../coordinator/market/identity/match-product.ts';
import type { MatchableProvider } from '../../../../coordinator/market/identity/match-provider.ts';

const coordinator = new URL('../../../../coordinator/', import.meta.url);

/** The seed rows of a table, by the names in its first line. None of these files quotes a cell. */
function rowsOf(path: string): Record<string, string>[] {
  const [header = '', ...lines] = readFileSync(new URL(path, coordinator), 'utf8').trim().split('\n');
  const names = header.split(',');
  return lines.map((line) => {
    const cells = line.split(',');
    assert.ok(!line.includes('"') && cells.length === names.length, `${path}: ${line}`);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const listed = (cell = ''): string[] => cell.split('|').filter((word) => word !== '');

export const products: MatchableProduct[] = rowsOf('catalog/products.csv').map((row) => ({
  product_id: Number(row['product_id']),
  slug: row['slug'] ?? '',
  chip: row['chip'] ?? '',
  name: row['name'] ?? '',
  manufacturer: row['manufacturer'] ?? '',
  mem: row['mem'] ? Number(row['mem']) : null,
  form_factor: row['form_factor'] || null,
  labels: listed(row['labels']),
}));

export const providers: (MatchableProvider & ProviderHome)[] = rowsOf('market/providers.csv').map((row, index) => ({
  provider_id: index + 1,
  slug: row['id'] ?? '',
  name: row['name'] ?? '',
  aliases: listed(row['aliases']),
  country: row['default_country'] || null,
}));

export const regions: RegionRow[] = rowsOf('market/regions.csv').map((row) => ({
  provider: row['provider'] ?? '',
  region: row['region'] ?? '',
  country: row['country'] ?? '',
  code: row['code'] ?? '',
  segment: (row['segment'] ?? '') as RegionRow['segment'],
}));
