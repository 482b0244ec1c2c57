import type { ProviderRecord, SpecsQueryRequest } from '../contract/market.ts';
import { pageOf } from '../platform/page.ts';
import type { HotMarket } from './hot-market.ts';

/** Providers whose slug or name has the keyword in it, by name. */
export function listProviders(
  { providers }: HotMarket,
  { keyword, ...page }: SpecsQueryRequest,
): { total: number; results: ProviderRecord[] } {
  const wanted = keyword.trim().toLowerCase();
  const found = providers.filter(({ id, name }) => [id, name].some((text) => text.toLowerCase().includes(wanted)));
  return { total: found.length, results: pageOf(found, page) };
}
