import { createRegionReader, type RegionRow } from './known-regions.ts';
import { nameKey } from './match-provider.ts';

export type { RegionRow };

export interface ProviderHome {
  slug: string;
  /** where all its machines are; null if it has several countries */
  country: string | null;
  /** used to recognise the upstream provider in a reseller's region */
  aliases?: readonly string[];
}

/**
 * The country, ISO 3166-1 alpha-2, of a provider's region; null if unknown. The table decides, then the region's name,
 * then the country the source states (SkyPilot listed Runpod's EU-SE-1 under Norway), then the provider's only country.
 * A reseller's listing is looked up under its upstream if the region names it: `lambdalabs__us-midwest-1`.
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

/** Every code of ISO 3166-1 alpha-2, November 2026. */
const codes: ReadonlySet<string> = new Set(
  [
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ',
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR',
    'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO',
    'JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR',
    'MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO',
    'RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV',
    'TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW',
  ].flatMap((line) => line.split(' ')),
);

/** The ISO code if the text is one, in upper or lower case, else null. UK is a common spelling of GB. */
export function countryCode(text: string | null | undefined): string | null {
  const code = text?.trim().toUpperCase() ?? '';
  if (code === 'UK') return 'GB';
  return codes.has(code) ? code : null;
}

/** Shadeform's words for countries: `dallas-usa-3`. */
const shadeformCountries: ReadonlyMap<string, string> = new Map([
  ['usa', 'US'],
  ['canada', 'CA'],
  ['uk', 'GB'],
  ['france', 'FR'],
  ['finland', 'FI'],
  ['iceland', 'IS'],
  ['norway', 'NO'],
  ['sweden', 'SE'],
  ['poland', 'PL'],
  ['germany', 'DE'],
  ['india', 'IN'],
  ['japan', 'JP'],
  ['singapore', 'SG'],
  ['australia', 'AU'],
]);

const shadeform = (region: string): string | null => {
  const word = /-([a-z]+)-\d+$/i.exec(region)?.[1];
  return shadeformCountries.get(word?.toLowerCase() ?? '') ?? null;
};

/** `US-CA-9` is in the US, `EU-SE-1` in Sweden: it begins with a country, or with a wider area and then a country. */
const runpod = (region: string): string | null => {
  const [, first, second] = /^([A-Z]{2,3})-([A-Z]{2,3})-\d+$/i.exec(region) ?? [];
  const isWide = /^(?:EU|EUR|AP|AS|SEA|OC|ME|AF|SA|LA)$/i.test(first ?? '');
  return countryCode(isWide ? second : first);
};

const readers: ReadonlyMap<string, (region: string) => string | null> = new Map([
  // "Texas, US, NA", ", CN, AS": place, country, continent
  ['vastai', (region: string) => countryCode(region.split(',')[1])],
  ['runpod', runpod],
  // new numbers appear often; the resellers show Shadeform's names
  ['shadeform', shadeform],
  ['sesterce', shadeform],
  ['spheron', shadeform],
  // the country alone, once "US - us-midwest-1"
  ['primeintellect', (region: string) => countryCode(region.split(' - ')[0])],
  ['lium', (region: string) => countryCode(region)],
  // "UTAH_USA"
  ['fluidstack', (region: string) => (/_USA$/i.test(region) ? 'US' : null)],
  // "no-luster-1"
  ['cudo', (region: string) => countryCode(/^([a-z]{2})-[a-z]+-\d+$/i.exec(region)?.[1])],
  // "North America-CA"
  [
    'simplepod',
    (region: string) => countryCode(/^(?:europe|asia|(?:north|south) america)-([a-z]{2})$/i.exec(region)?.[1]),
  ],
]);

/** The country, ISO 3166-1 alpha-2, in a region's name as this provider (a slug) writes it; null if there is none. */
function countryInText(provider: string, region: string): string | null {
  return readers.get(provider)?.(region) ?? null;
}
