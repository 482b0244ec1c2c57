import { countryCode } from './country-code.ts';

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

/** `US-CA-9` is in the US, `EU-SE-1` in Sweden: first a country, or a part of the world and then a country. */
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

/** The country, ISO 3166-1 alpha-2, that a provider (its slug) writes into a region; null where it writes none. */
export function countryInText(provider: string, region: string): string | null {
  return readers.get(provider)?.(region) ?? null;
}
