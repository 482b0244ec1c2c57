import { ofYear, type Factor, type Zone } from '../../carbon/factors/factor.ts';
import { FormatError } from '../connector.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit, rateIn } from './collect-rows.ts';

const REGION = 'Google Cloud Region';
const LIFECYCLE = 'Lifecycle grid carbon intensity (gCO2eq / kWh)';
const DIRECT = 'Grid carbon intensity (gCO2eq / kWh)';
const CFE = 'Google CFE';
type Column = typeof REGION | 'Location' | typeof CFE | typeof LIFECYCLE | typeof DIRECT;

const format: CsvFormat<Column> = {
  required: [REGION, 'Location'],
  anyOf: [[LIFECYCLE, DIRECT]],
  optional: [CFE],
  looks: { [LIFECYCLE]: 'number', [DIRECT]: 'number' },
};

/**
 * GoogleCloudPlatform/region-carbon-info, `data/yearly/<year>.csv`. The header shows the basis: lifecycle until 2020, direct
 * since 2021. The share of carbon-free energy is Google's own purchase, may be empty, and is not part of the figure.
 */
export const googleRegions: CarbonConnector = {
  name: 'google-regions',
  title: 'Google Cloud, grid of its regions, a year',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const year = yearOf(file);
  const seen = new Set<string>();
  const { values, tally } = await collectCsv<Column, { zone: Zone; factor: Factor }>(file, format, (row) => {
    const code = row.cell(REGION);
    if (code === '') return new Misfit('no-region');
    if (seen.has(code)) return new Misfit('repeated', code);
    const made = factorOf(row, code, year);
    if (!(made instanceof Misfit)) seen.add(code);
    return made;
  });
  const [zones, factors] = [values.map(({ zone }) => zone), values.map(({ factor }) => factor)];
  const edition = { source: 'google-regions', scope: String(year), zones, factors } as const;
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions: [edition] };
}

function factorOf(row: CsvRow<Column>, code: string, year: number): { zone: Zone; factor: Factor } | Misfit {
  const lifecycle = row.cell(LIFECYCLE);
  const said = lifecycle || row.cell(DIRECT);
  const grams = rateIn(said);
  if (grams instanceof Misfit) return grams;
  const [zone, place] = [`gcp:${code}`, row.cell('Location')];
  const share = row.cell(CFE) || 'not stated';
  return {
    zone: { zone, name: `Google Cloud ${code}, ${place}`, country_code: null },
    factor: {
      zone,
      ...ofYear(year),
      g_per_kwh: grams,
      basis: lifecycle === '' ? 'direct' : 'lifecycle',
      kind: 'average',
      source_year: year,
      source_row: `${year}: ${code}, ${place}: ${said} gCO2eq/kWh, Google CFE ${share}`,
    },
  };
}

/** The year in the file's name; the file itself does not state it. */
function yearOf(file: CarbonFile): number {
  const year = /(?<!\d)(20\d\d)(?!\d)(?=[^/]*$)/.exec(file.name.replace(/[?#].*$/, ''))?.[1];
  if (year === undefined) throw new FormatError(file, null, 'its name does not state the year, as 2024.csv does');
  return Number(year);
}
