import { fiveDigits } from '../../carbon/places/us-zips.ts';
import type { CsvFormat } from '../reading/csv-format.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit } from './collect-rows.ts';
import { groupZips, type ZipZones } from './group-zips.ts';

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
 * since 2025), or a row for each zip with up to three subregions (2018), of which the first is taken as predominant. Zips may
 * have lost the zeros that they begin with.
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
    // In the form of 2018 some zips stand twice, with and without their zeros.
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

/** The marked utility's first, else the first row's; the others in the order of the alphabet, as EPA's is by utility. */
function zonesOf(rows: readonly ZipRow[]): ZipZones {
  const first = rows.find(({ isPredominant }) => isPredominant) ?? rows[0];
  const [predominant = '', ...ownOthers] = first?.zones ?? [];
  const others = [...new Set(rows.flatMap(({ zones }) => zones))].filter((zone) => zone !== predominant);
  return {
    state: first?.state ?? '',
    zones: [predominant, ...(ownOthers.length > 0 ? ownOthers : others.toSorted())],
  };
}
