import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { productRow, type ProductCsvRow } from '../../../coordinator/catalog/product-row.ts';
import { gpuPeaks } from '../../../coordinator/figures/gpu-peaks.ts';
import { createProductMatcher } from '../../../coordinator/market/identity/match-product.ts';
import { readTable } from '../../../coordinator/platform/read-table.ts';

const products = readTable(
  'products.csv',
  readFileSync(new URL('../../../coordinator/catalog/products.csv', import.meta.url), 'utf8'),
  productRow,
);

/** The peaks are of one device as its driver shows it, the catalogue of what is sold: to 1 % the same, but for these. */
const accounted = [
  // on the chip, and what of it is left to use: the driver's figure is the one that a machine is judged by
  'nvidia-b200-192gb mem: 192, 180',
  'nvidia-b300-288gb mem: 288, 270',
];
/** One device of a board or module that is sold whole. */
const parts = ['A16 (one of four)', 'MI250 (one die)', 'MI250X (one die)'];
/** Cards that drivers name and the catalogue does not sell. */
const unsold = ['L20', 'H20-3e', 'GB10', 'RTX PRO 4000 SFF', 'RTX PRO 2000'];

test('what is sold and what is measured against have the same figures', () => {
  const match = createProductMatcher(products);
  const different: string[] = [];
  const without: string[] = [];
  for (const peak of gpuPeaks) {
    const found = match({ label: peak.name, memoryGb: peak.memory_gb, formFactor: null });
    const product = found.kind === 'product' && products.find(({ product_id }) => product_id === found.product_id);
    if (!product) {
      without.push(peak.name);
      continue;
    }
    const figures: [keyof ProductCsvRow, number | null][] = [
      ['mem', peak.memory_gb],
      ['mem_bus', peak.memory.bus_bits],
      ['bandwidth', peak.memory_bandwidth_gbs],
      ['tdp', peak.tdp_watts],
      ['fp16', peak.fp16_tflops],
    ];
    for (const [column, figure] of figures) {
      const own = product[column];
      if (typeof own !== 'number' || figure === null || Math.abs(own - figure) <= 0.01 * figure) continue;
      different.push(`${product.slug} ${column}: ${own}, ${figure}`);
    }
  }
  assert.deepEqual(different, accounted);
  assert.deepEqual(without.toSorted(), [...parts, ...unsold].toSorted());
});
