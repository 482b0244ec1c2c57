import type { GpuSpecification } from '../contract/catalog.ts';

type ListedGpu = Pick<GpuSpecification, 'id' | 'slug' | 'name' | 'manufacturer' | 'chip' | 'mem'>;

/** All accelerators of the catalogue, by name. */
export function listGpus(specifications: readonly GpuSpecification[]): { total: number; results: ListedGpu[] } {
  const results = specifications.map(({ id, slug, name, manufacturer, chip, mem }) => ({
    id,
    slug,
    name,
    manufacturer,
    chip,
    mem,
  }));
  return { total: results.length, results };
}

/** What specifications can be filtered by, each once, sorted. */
export function specificationParams(specifications: readonly GpuSpecification[]): {
  manufacturer_list: string[];
  chip_list: string[];
} {
  const each = (column: 'manufacturer' | 'chip'): string[] =>
    [...new Set(specifications.map((one) => one[column]))].toSorted((a, b) =>
      a.localeCompare(b, 'en', { numeric: true }),
    );
  return { manufacturer_list: each('manufacturer'), chip_list: each('chip') };
}
