import { fiveDigits } from '../../carbon/places/us-zips.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit } from './collect-rows.ts';
import type { ZipGroup } from '../../carbon/factors/edition.ts';

const PREDOMINANT = 'Predominant Utility';
type Column =
  | ('zip' | 'state' | 'SUBRGN' | typeof PREDOMINANT)
  | ('zip_character' | 'egrid_subregion_1' | 'egrid_subregion_2' | 'egrid_subregion_3');

const format: CsvFormat<Column> = {
  required: ['state'],
  anyOf: [
    ['zip', 'zip_character'],
    ['SUBRGN', 'egrid_subregion_1'],
  ],
  optional: [PREDOMINANT, 'egrid_subregion_2', 'egrid_subregion_3'],
  // The table of 2021 is Latin-1; only names of utilities, which are not read, have other letters than ASCII.
  orLatin1: true,
};

/** One row of either form. */
interface ZipRow {
  zip: string;
  state: string;
  zones: string[];
  isPredominant: boolean;
}

/**
 * EPA Power Profiler: which subregions a zip has. A row for each utility of a zip with the predominant one marked (`zip.csv`,
 * since 2021), or a row for each zip with up to three subregions (2018), of which the first is taken as predominant. Zips may
 * have lost their leading zeros.
 */
export const epaZips: CarbonConnector = {
  name: 'epa-zips',
  title: 'EPA Power Profiler, zips and their eGRID subregions',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const seen = new Set<string>();
  const { values, tally } = await collectCsv<Column, ZipRow>(file, format, (row) => {
    const made = zipRow(row);
    if (made instanceof Misfit || row.cell('SUBRGN') !== '') return made;
    // In the form of 2018 some zips appear twice, with and without leading zeros.
    if (seen.has(made.zip)) return new Misfit('repeated', made.zip);
    seen.add(made.zip);
    return made;
  });
  const byZip = new Map(
    [...Map.groupBy(values, ({ zip }) => zip)].map(([zip, rows]): [string, ZipZones] => [zip, zonesOf(rows)]),
  );
  const edition = { source: 'epa-zips', scope: 'zips', zips: groupZips(byZip) } as const;
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions: [edition] };
}

function zipRow(row: CsvRow<Column>): ZipRow | Misfit {
  const said = row.cell('zip') || row.cell('zip_character');
  const zip = fiveDigits(said);
  if (zip === null) return new Misfit('bad-zip', said);
  const zones = [
    row.cell('SUBRGN') || row.cell('egrid_subregion_1'),
    row.cell('egrid_subregion_2'),
    row.cell('egrid_subregion_3'),
  ].filter((zone) => zone !== '');
  const state = row.cell('state');
  if (zones.length === 0 || !zones.every((zone) => /^[A-Z]{4}$/.test(zone)) || !/^[A-Z]{2}$/.test(state))
    return new Misfit('no-subregion', `${said}: ${zones.join(', ')} in ${state}`);
  return { zip, state, zones, isPredominant: row.cell(PREDOMINANT) === '1' };
}

/**
 * The subregions of a zip, that of the marked utility first, else that of the first row. The others follow in that row's own
 * order if it has several, else alphabetically, since EPA orders them by utility.
 */
function zonesOf(rows: readonly ZipRow[]): ZipZones {
  const first = rows.find(({ isPredominant }) => isPredominant) ?? rows[0];
  const [predominant = '', ...ownOthers] = first?.zones ?? [];
  const others = [...new Set(rows.flatMap(({ zones }) => zones))].filter((zone) => zone !== predominant);
  return {
    state: first?.state ?? '',
    zones: [predominant, ...(ownOthers.length > 0 ? ownOthers : others.toSorted())],
  };
}

interface ZipZones {
  state: string;
  /** the predominant one first */
  zones: readonly string[];
}

/** Groups zips by first three digits, state and subregions, ordered by the lowest zip of each group. */
function groupZips(byZip: ReadonlyMap<string, ZipZones>): ZipGroup[] {
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
