import { ANY_TIME, type Factor, type Zone } from '../../carbon/factors/factor.ts';
import { FormatError } from '../connector.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit, rateIn } from './collect-rows.ts';

const TONS = 'CO2e (metric ton/kWh)';
type Column = ('provider' | 'region' | 'metric_ton_co2e_per_kwh') | ('Region' | typeof TONS | 'Source');
const format: CsvFormat<Column> = {
  required: [],
  anyOf: [
    ['metric_ton_co2e_per_kwh', TONS],
    ['region', 'Region'],
  ],
  optional: ['provider', 'Source'],
  looks: { metric_ton_co2e_per_kwh: 'number', [TONS]: 'number' },
};

const GRAMS_PER_TON = 1e6;

/**
 * Cloud Carbon Footprint's factors of cloud regions: its three tables as published, of which the file's name says whose regions
 * they are (`grid-emissions-factors-aws.csv`), or one table of several providers. Azure's regions are written as in its portal
 * (`East US 2`). `Unknown`, its mean for unknown regions, is refused.
 */
export const ccf: CarbonConnector = {
  name: 'ccf',
  title: 'Cloud Carbon Footprint, factors of cloud regions',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const seen = new Set<string>();
  const named = providerIn(file.name);
  let isOfOne = false;
  const { values, tally } = await collectCsv<Column, { zone: Zone; factor: Factor }>(file, format, (row) => {
    isOfOne ||= row.cell('Region') !== '';
    const provider = row.cell('provider').toLowerCase() || named;
    const said = row.cell('Region') || row.cell('region');
    if (provider === null)
      throw new FormatError(file, null, 'does not say whose regions it holds: put aws, azure or gcp into its name');
    if (said === '' || said === 'Unknown') return new Misfit('no-region', said);
    const region = row.cell('Region') !== '' && provider === 'azure' ? said.toLowerCase().replaceAll(' ', '') : said;
    const zone = `${provider}:${region}`;
    if (seen.has(zone)) return new Misfit('repeated', zone);
    const tons = row.cell(TONS) || row.cell('metric_ton_co2e_per_kwh');
    const grams = rateIn(tons, GRAMS_PER_TON);
    if (grams instanceof Misfit) return grams;
    seen.add(zone);
    const by = row.cell('Source');
    const source_row = `${provider},${said}: ${tons} metric tons CO2e/kWh${by === '' ? '' : ` (${by})`}`;
    const about = { basis: 'direct', kind: 'average', source_year: null, source_row } as const;
    return {
      zone: { zone, name: `${provider} ${region}`, country_code: null },
      factor: { zone, ...ANY_TIME, g_per_kwh: grams, ...about },
    };
  });
  const [zones, factors] = [values.map(({ zone }) => zone), values.map(({ factor }) => factor)];
  // The tables of the three providers are three parts, so that none replaces another.
  const edition = { source: 'ccf', scope: (isOfOne ? named : null) ?? 'regions', zones, factors } as const;
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions: [edition] };
}

/** `grid-emissions-factors-aws.csv` -> aws */
const providerIn = (name: string): string | null =>
  /(?<![a-z])(aws|azure|gcp)(?![a-z])[^/]*$/.exec(name.toLowerCase())?.[1] ?? null;
