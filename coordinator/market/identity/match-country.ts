import { countryCode } from './country-code.ts';
import { countryInText } from './country-in-text.ts';
import { createRegionReader, type RegionRow } from './known-regions.ts';
import { nameKey } from './match-provider.ts';

export type { RegionRow };

export interface ProviderHome {
  slug: string;
  /** where all its machines are; null where it has several countries */
  country: string | null;
  /** read for the upstream's name in a reseller's region */
  aliases?: readonly string[];
}

/**
 * The country, ISO 3166-1 alpha-2, of a provider's region; null where nothing says it. The table decides, then what the
 * region's name says, then what the source says (SkyPilot listed Runpod's EU-SE-1 under Norway), then the provider's only
 * country. A reseller's listing is looked up under its upstream where the region names it: `lambdalabs__us-midwest-1`.
 */
export function createCountryMatcher(
  regions: readonly RegionRow[],
  providers: readonly ProviderHome[],
): (provider: string, region: string | null, stated: string | null) => string | null {
  const readRegion = createRegionReader(regions);
  const homes = new Map(providers.map(({ slug, country }) => [slug, country]));
  const slugs = new Map(
    providers.flatMap(({ slug, aliases = [] }) => [slug, ...aliases].map((name) => [nameKey(name), slug] as const)),
  );

  const ofRegion = (provider: string, region: string): string | null =>
    readRegion(provider, region).country ?? countryInText(provider, region);
  const ofUpstream = (region: string): string | null => {
    const [, name = '', code = ''] = /^(.+?)__(.+)$/.exec(region) ?? [];
    const upstream = slugs.get(nameKey(name));
    return upstream === undefined ? null : ofRegion(upstream, code);
  };

  return (provider, region, stated) => {
    const said = region?.trim() ?? '';
    const place = said === '' ? null : (ofRegion(provider, said) ?? ofUpstream(said));
    return place ?? countryCode(stated) ?? homes.get(provider) ?? null;
  };
}
