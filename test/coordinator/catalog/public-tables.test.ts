import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { SKUS } from '@huggingface/tasks';
import { productRow, type ProductCsvRow } from '../../../coordinator/catalog/product-row.ts';
import { createChipFinder, type KnownProduct } from '../../../coordinator/market/identity/find-chip.ts';
import { fitsFormFactor, readLabel } from '../../../coordinator/market/identity/read-label.ts';
import { fillerWords } from '../../../coordinator/market/identity/label-spellings.ts';
import { fitsMemory } from '../../../coordinator/market/identity/match-product.ts';
import { readTable } from '../../../coordinator/platform/read-table.ts';
import { csvRows, sharedPath, withoutShared } from '../ingest/read-source.ts';

// Two public tables of the same accelerators, Hugging Face's (`hf`) and United Compute's (`uc`). A figure of theirs
// agrees with ours, or the difference stands in disagreements.tsv with its reason: none of them, and none more.

type Field = 'fp16' | 'power' | 'memory' | 'bandwidth' | 'mem_bus' | 'msrp' | 'year';

interface Entry {
  name: string;
  figures: Partial<Record<Exclude<Field, 'memory'>, number>>;
  /** GB; several where one entry is of several cards */
  memories: readonly number[];
}

/** Tables round to three digits, prices to what a shop would write. */
const TOLERANCE = 0.02;

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');
const products = readTable('products.csv', read('../../../coordinator/catalog/products.csv'), productRow);
const bySlug = new Map(products.map((product) => [product.slug, product]));
const findChip = createChipFinder(products);

/** What a table calls a chip where our rules, made for price lists, do not know it. */
const called: Record<string, string> = {
  MI300: 'MI300X',
  'R9700 PRO': 'Radeon AI PRO R9700',
  'PRO W7900': 'Radeon PRO W7900',
  'PRO W7800': 'Radeon PRO W7800',
  'RTX PRO 4500 WS': 'RTX PRO 4500',
  'Arc B50': 'Arc Pro B50',
  'Arc B60': 'Arc Pro B60',
};

/** Our products that an entry is of: all that its name leaves, since one entry may be of several cards. */
function ofEntry({ name, memories }: Entry): ProductCsvRow[] {
  const label = readLabel(called[name] ?? name);
  const found = findChip(label.words);
  const isSaid = ({ brand, words }: KnownProduct): boolean =>
    found?.others.every((word) => fillerWords.has(word) || brand.has(word) || words.has(word)) ?? false;
  const named = (found?.products ?? []).filter(isSaid);
  const isShared = (word: string): boolean => named.every(({ words }) => words.has(word));
  const inFull = named.filter(({ words }) => [...words].every((word) => label.words.includes(word) || isShared(word)));
  const stated = (inFull.length > 0 ? inFull : named).filter(
    ({ product }) => fitsMemory(product, label.memories) && fitsFormFactor(product.form_factor, label.formFactors),
  );
  // `memories` only tells apart what the name does not: a wrong size is a difference, not another card
  const sized = stated.filter(({ product }) => memories.some((memory) => fitsMemory(product, [memory])));
  return (sized.length > 0 ? sized : stated).flatMap(({ product }) => bySlug.get(product.slug) ?? []);
}

/** `slug field ours theirs` of whatever does not agree. A figure that we do not state, as no vendor does, agrees with nothing. */
function differences(entries: readonly Entry[]): { compared: number; found: string[] } {
  let compared = 0;
  const found: string[] = [];
  for (const entry of entries)
    for (const product of ofEntry(entry)) {
      const ours: Record<Field, number | null> = {
        fp16: product.fp16,
        power: product.tdp,
        memory: product.mem,
        bandwidth: product.bandwidth,
        mem_bus: product.mem_bus,
        msrp: product.msrp,
        year: product.released_date === null ? null : Number(product.released_date.slice(0, 4)),
      };
      const theirs: [Field, number[]][] = [
        ['memory', [...entry.memories]],
        ...Object.entries(entry.figures).map(([field, figure]): [Field, number[]] => [field as Field, [figure]]),
      ];
      for (const [field, figures] of theirs) {
        if (figures.length === 0) continue;
        compared += 1;
        const own = ours[field];
        const tolerance = field === 'year' ? 0 : TOLERANCE;
        if (own === null && field === 'msrp') continue;
        if (own !== null && figures.some((figure) => Math.abs(figure - own) <= tolerance * own)) continue;
        found.push([product.slug, field, own ?? '(empty)', figures.join('|')].join(' '));
      }
    }
  return { compared, found: [...new Set(found)].toSorted() };
}

const listed = (table: string): string[] =>
  csvRows(read('disagreements.tsv').replaceAll(',', ';').replaceAll('\t', ','))
    .filter((row) => row['table'] === table)
    .map((row) => {
      assert.ok((row['reason'] ?? '').length > 3, `${row['slug']} ${row['field']}: no reason`);
      return [row['slug'], row['field'], row['ours'], row['theirs']].join(' ');
    })
    .toSorted();

describe('the catalogue beside public tables', () => {
  test('Hugging Face: every figure agrees, or is listed with the reason', () => {
    const makers = { ...SKUS.GPU.NVIDIA, ...SKUS.GPU.AMD, ...SKUS.GPU.INTEL };
    const entries = Object.entries(makers).map(([name, { tflops, memory, power, msrp, releaseYear }]): Entry => ({
      name,
      memories: memory,
      figures: { fp16: tflops, power, msrp, year: releaseYear },
    }));
    const { compared, found } = differences(entries);
    assert.deepEqual(found, listed('hf'));
    assert.ok(compared >= 400, `${compared}`);
  });

  test('United Compute: every figure agrees, or is listed with the reason', { skip: withoutShared }, () => {
    const file = readFileSync(sharedPath('specs/united-compute-gpu-specs.csv'), 'utf8');
    const entries = csvRows(file).map((row): Entry => {
      const figure = (column: string): number => Number(row[column]);
      return {
        name: row['gpu_name'] ?? '',
        memories: [figure('vram_gb')],
        figures: {
          fp16: figure('fp16_tflops'),
          power: figure('watt'),
          bandwidth: figure('bandwidth_gb_s'),
          mem_bus: figure('bus_width_bit'),
          year: Number(row['release_date']?.slice(0, 4)),
        },
      };
    });
    const { compared, found } = differences(entries);
    assert.deepEqual(found, listed('uc'));
    assert.ok(compared >= 200, `${compared}`);
  });
});
