import type { ZipGroup } from '../factors/edition.ts';

/** What a zip's subregion is derived from, the most reliable first. */
type ZipRule = 'zip' | 'first three digits' | 'state';

interface ZipSubregions {
  rule: ZipRule;
  /** the one that is used, then the others of the zip, its first digits or its state */
  subregions: readonly string[];
}

export interface UsZips {
  /** null if no US grid covers it (post offices of the forces abroad, unassigned zips) */
  find: (zip: string) => ZipSubregions | null;
}

/** Five digits of a US zip as people and tables write it: with +4, or without leading zeros. Null if it is not a zip. */
export function fiveDigits(given: string): string | null {
  const match = /^(\d{1,5})(?:[- ]?(\d{4}))?$/.exec(given.trim());
  if (match?.[1] === undefined || (match[2] !== undefined && match[1].length < 5)) return null;
  return match[1].padStart(5, '0');
}

/** By zip; if no utility reports it, the subregion that most zips with its first three digits have, else most of its state. */
export function usZips(groups: readonly ZipGroup[]): UsZips {
  const byZip = new Map<string, readonly string[]>();
  const byPrefix = new Map<string, Map<string, number>>();
  const byState = new Map<string, Map<string, number>>();
  const stateOf = new Map<string, string>();
  for (const { prefix, state, zones, zips } of groups) {
    const suffixes = suffixesIn(zips);
    for (const suffix of suffixes) byZip.set(prefix + suffix, zones);
    const [predominant = ''] = zones;
    // Zips below 00500 are not the Postal Service's: the table uses invented ones for places without a zip.
    if (prefix < FIRST_PREFIX) continue;
    count(byPrefix, prefix, predominant, suffixes.length);
    count(byState, state, predominant, suffixes.length);
  }
  for (const [first, last, state] of PREFIX_STATES)
    for (let prefix = first; prefix <= last; prefix += 1) stateOf.set(String(prefix).padStart(3, '0'), state);
  return {
    find: (zip) => {
      const exact = byZip.get(zip);
      if (exact) return { rule: 'zip', subregions: exact };
      const prefix = zip.slice(0, 3);
      const near = byPrefix.get(prefix);
      if (near) return { rule: 'first three digits', subregions: mostFirst(near) };
      const state = byState.get(stateOf.get(prefix) ?? '');
      return state ? { rule: 'state', subregions: mostFirst(state) } : null;
    },
  };
}

const FIRST_PREFIX = '005';

/**
 * State of each range of first three digits, for prefixes of which no utility reports a zip: the Government's in Washington and
 * Austin, those of the tax offices, and new ones (Postal Service, Publication 65, list L002).
 */
const PREFIX_STATES: readonly (readonly [first: number, last: number, state: string])[] = [
  [5, 5, 'NY'],
  [6, 7, 'PR'],
  [9, 9, 'PR'],
  [10, 27, 'MA'],
  [28, 29, 'RI'],
  [30, 38, 'NH'],
  [39, 49, 'ME'],
  [50, 54, 'VT'],
  [55, 55, 'MA'],
  [56, 59, 'VT'],
  [60, 69, 'CT'],
  [70, 89, 'NJ'],
  [100, 149, 'NY'],
  [150, 196, 'PA'],
  [197, 199, 'DE'],
  [200, 200, 'DC'],
  [201, 201, 'VA'],
  [202, 205, 'DC'],
  [206, 219, 'MD'],
  [220, 246, 'VA'],
  [247, 268, 'WV'],
  [270, 289, 'NC'],
  [290, 299, 'SC'],
  [300, 319, 'GA'],
  [320, 339, 'FL'],
  [341, 349, 'FL'],
  [350, 369, 'AL'],
  [370, 385, 'TN'],
  [386, 397, 'MS'],
  [398, 399, 'GA'],
  [400, 427, 'KY'],
  [430, 459, 'OH'],
  [460, 479, 'IN'],
  [480, 499, 'MI'],
  [500, 528, 'IA'],
  [530, 549, 'WI'],
  [550, 567, 'MN'],
  [569, 569, 'DC'],
  [570, 577, 'SD'],
  [580, 588, 'ND'],
  [590, 599, 'MT'],
  [600, 629, 'IL'],
  [630, 658, 'MO'],
  [660, 679, 'KS'],
  [680, 693, 'NE'],
  [700, 714, 'LA'],
  [716, 729, 'AR'],
  [730, 732, 'OK'],
  [733, 733, 'TX'],
  [734, 749, 'OK'],
  [750, 799, 'TX'],
  [800, 816, 'CO'],
  [820, 831, 'WY'],
  [832, 838, 'ID'],
  [840, 847, 'UT'],
  [850, 865, 'AZ'],
  [870, 884, 'NM'],
  [885, 885, 'TX'],
  [889, 898, 'NV'],
  [900, 961, 'CA'],
  [967, 968, 'HI'],
  [970, 979, 'OR'],
  [980, 994, 'WA'],
  [995, 999, 'AK'],
];

/** Zips of islands whose grids are not in eGRID, and the country code under which their factors are stored (L002, as above). */
const ISLANDS: readonly (readonly [first: string, last: string, country: string])[] = [
  ['00800', '00899', 'VI'],
  ['96799', '96799', 'AS'],
  ['96900', '96938', 'GU'],
  ['96939', '96940', 'PW'],
  ['96941', '96944', 'FM'],
  ['96950', '96952', 'MP'],
  ['96960', '96970', 'MH'],
];

/** The country code of an island's zip, if it has one other than US. */
export const islandOf = (zip: string): string | null =>
  ISLANDS.find(([first, last]) => zip >= first && zip <= last)?.[2] ?? null;

function suffixesIn(zips: string): string[] {
  return zips.split(' ').flatMap((range) => {
    const [first = 0, last = first] = range.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => String(first + n).padStart(2, '0'));
  });
}

function count(counts: Map<string, Map<string, number>>, of: string, subregion: string, zips: number): void {
  const known = counts.get(of) ?? new Map<string, number>();
  known.set(subregion, (known.get(subregion) ?? 0) + zips);
  counts.set(of, known);
}

/** By number of zips, most first; ties in alphabetical order, so that the answer is always the same. */
const mostFirst = (counts: ReadonlyMap<string, number>): string[] =>
  [...counts].toSorted(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([subregion]) => subregion);
