import { ANY_TIME, type Factor, type Zone } from '../../carbon/factors/factor.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit, rateIn } from './collect-rows.ts';

type Column = 'provider' | 'region' | 'metric_ton_co2e_per_kwh';
const format: CsvFormat<Column> = {
  required: ['provider', 'region', 'metric_ton_co2e_per_kwh'],
  looks: { metric_ton_co2e_per_kwh: 'number' },
};

const GRAMS_PER_TON = 1e6;

/** Cloud Carbon Footprint's factors of AWS and Azure as CSV. `Unknown`, its mean for unknown regions, is refused. */
export const ccf: CarbonConnector = {
  name: 'ccf',
  title: 'Cloud Carbon Footprint, factors of cloud regions',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const seen = new Set<string>();
  const { values, tally } = await collectCsv<Column, { zone: Zone; factor: Factor }>(file, format, (row) => {
    const [provider, region, said] = [
      row.cell('provider').toLowerCase(),
      row.cell('region'),
      row.cell('metric_ton_co2e_per_kwh'),
    ];
    if (provider === '' || region === '' || region === 'Unknown') return new Misfit('no-region', region);
    const zone = `${provider}:${region}`;
    if (seen.has(zone)) return new Misfit('repeated', zone);
    const grams = rateIn(said, GRAMS_PER_TON);
    if (grams instanceof Misfit) return grams;
    seen.add(zone);
    const source_row = `${provider},${region}: ${said} metric tons CO2e/kWh`;
    const about = { basis: 'direct', kind: 'average', source_year: null, source_row } as const;
    return {
      zone: { zone, name: `${provider} ${region}`, country_code: null },
      factor: { zone, ...ANY_TIME, g_per_kwh: grams, ...about },
    };
  });
  const [zones, factors] = [values.map(({ zone }) => zone), values.map(({ factor }) => factor)];
  const edition = { source: 'ccf', scope: 'regions', zones, factors } as const;
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions: [edition] };
}
