import { gpuListRoute, gpuSpecsParamsRoute, gpuSpecsRoute, type GpuSpecification } from '../contract/catalog.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { findSpecifications } from './find-specifications.ts';
import { specificationsOf } from './specification.ts';

/** The accelerators with their specifications, in the envelope. Served from memory, with the newest prices. */
export function catalogArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  const specifications = async () => specificationsOf(await market(), platform.now());
  area.on(gpuListRoute, async () => listGpus(await specifications()));
  area.on(gpuSpecsParamsRoute, async () => specificationParams(await specifications()));
  area.on(gpuSpecsRoute, async (_, { body }) => findSpecifications(await specifications(), body));
  return area;
}

type ListedGpu = Pick<GpuSpecification, 'id' | 'slug' | 'name' | 'manufacturer' | 'chip' | 'mem'>;

/** All accelerators of the catalogue, by name. */
function listGpus(specifications: readonly GpuSpecification[]): { total: number; results: ListedGpu[] } {
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

/** Distinct values that specifications can be filtered by, sorted. */
function specificationParams(specifications: readonly GpuSpecification[]): {
  manufacturer_list: string[];
  chip_list: string[];
} {
  const each = (column: 'manufacturer' | 'chip'): string[] =>
    [...new Set(specifications.map((one) => one[column]))].toSorted((a, b) =>
      a.localeCompare(b, 'en', { numeric: true }),
    );
  return { manufacturer_list: each('manufacturer'), chip_list: each('chip') };
}
