import { gpuListRoute, gpuSpecsParamsRoute, gpuSpecsRoute } from '../contract/catalog.ts';
import type { HotMarket } from '../market/hot-market.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { findSpecifications } from './find-specifications.ts';
import { listGpus, specificationParams } from './list-gpus.ts';
import { specificationsOf } from './specification.ts';

/** What can be bought and what it does, in the envelope. All of it lies in memory, with the newest prices. */
export function catalogArea(platform: Platform, market: () => Promise<HotMarket>): Area {
  const area = createArea(platform, 'envelope');
  const specifications = async () => specificationsOf(await market(), platform.now());
  area.on(gpuListRoute, async () => listGpus(await specifications()));
  area.on(gpuSpecsParamsRoute, async () => specificationParams(await specifications()));
  area.on(gpuSpecsRoute, async (_, { body }) => findSpecifications(await specifications(), body));
  return area;
}
