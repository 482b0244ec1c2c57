import type { ZipGroup } from '../../carbon/factors/edition.ts';

export interface ZipZones {
  state: string;
  /** the predominant one first */
  zones: readonly string[];
}

/** Zips by their first three digits, state and subregions, in the order of the lowest zip of each. */
export function groupZips(byZip: ReadonlyMap<string, ZipZones>): ZipGroup[] {
  const groups = new Map<string, ZipZones & { prefix: string; suffixes: number[] }>();
  for (const [zip, { state, zones }] of [...byZip].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const prefix = zip.slice(0, 3);
    const key = `${prefix} ${state} ${zones.join('|')}`;
    const group = groups.get(key) ?? { prefix, state, zones, suffixes: [] };
    group.suffixes.push(Number(zip.slice(3)));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ prefix, state, zones, suffixes }) => ({
    prefix,
    state,
    zones,
    zips: rangesOf(suffixes),
  }));
}

/** 1, 2, 3, 7 -> `01-03 07` */
function rangesOf(suffixes: readonly number[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const suffix of suffixes) {
    const range = ranges.at(-1);
    if (range?.[1] === suffix - 1) range[1] = suffix;
    else ranges.push([suffix, suffix]);
  }
  return ranges.map(([first, last]) => (first === last ? two(first) : `${two(first)}-${two(last)}`)).join(' ');
}

const two = (digits: number): string => String(digits).padStart(2, '0');
