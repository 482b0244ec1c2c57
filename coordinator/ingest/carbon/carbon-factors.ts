import { basename } from 'node:path';
import type { Factor, Zone } from '../../carbon/factors/factor.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import { utcTime } from '../reading/cell-values.ts';
import { scopeOf } from '../reading/file-names.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit, rateIn } from './collect-rows.ts';

type Column =
  | ('zone' | 'name' | 'country_code' | 'valid_from' | 'valid_to' | 'g_per_kwh' | 'basis' | 'kind')
  | ('source' | 'source_year' | 'licence');

const format: CsvFormat<Column> = {
  required: ['zone', 'valid_from', 'valid_to', 'g_per_kwh', 'basis', 'kind', 'source', 'licence'],
  optional: ['name', 'country_code', 'source_year'],
  looks: { valid_from: 'date', valid_to: 'date', g_per_kwh: 'number' },
};

/** Zone ids of all publishers, and `provider:region`. */
const ZONE = /^[A-Za-z0-9][A-Za-z0-9:._-]{0,59}$/;

/**
 * Our own format, for sources without a connector. `valid_from` and `valid_to` are days or instants, the end exclusive, such
 * as a year or an hour; `basis` direct or lifecycle; `kind` average or marginal; `country_code` ISO alpha-2, empty for several;
 * `source` and `licence` are shown with the figure. A later file of the same name replaces an earlier one.
 */
export const carbonFactors: CarbonConnector = {
  name: 'carbon-factors',
  title: 'Factors as CSV (own format)',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const seen = new Set<string>();
  const { values, tally } = await collectCsv<Column, { zone: Zone; factor: Factor }>(file, format, (row) => {
    const made = factorOf(row);
    if (made instanceof Misfit) return made;
    const { zone, basis, kind, valid_from } = made.factor;
    const key = `${zone} ${basis} ${kind} ${valid_from}`;
    if (seen.has(key)) return new Misfit('repeated', key);
    seen.add(key);
    return made;
  });
  const zones = [...new Map(values.map(({ zone }) => [zone.zone, zone])).values()];
  const factors = values.map(({ factor }) => factor);
  const edition = { source: 'operator', scope: scopeOf(basename(file.name), null), zones, factors } as const;
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions: [edition] };
}

function factorOf(row: CsvRow<Column>): { zone: Zone; factor: Factor } | Misfit {
  const [zone, country] = [row.cell('zone'), row.cell('country_code')];
  if (!ZONE.test(zone) || (country !== '' && !/^[A-Z]{2}$/.test(country)))
    return new Misfit('bad-zone', `${zone} ${country}`);
  const [from, to] = [utcTime(row.cell('valid_from')), utcTime(row.cell('valid_to'))];
  if (!(to.getTime() > from.getTime()))
    return new Misfit('bad-time', `${row.cell('valid_from')} ${row.cell('valid_to')}`);
  const said = row.cell('g_per_kwh');
  const grams = rateIn(said);
  if (grams instanceof Misfit) return grams;
  const [basis, kind] = [row.cell('basis'), row.cell('kind')];
  if (basis !== 'direct' && basis !== 'lifecycle') return new Misfit('unknown-basis', basis);
  if (kind !== 'average' && kind !== 'marginal') return new Misfit('unknown-kind', kind);
  const year = row.cell('source_year');
  if (year !== '' && !/^(19|20)\d\d$/.test(year)) return new Misfit('bad-year', year);
  return {
    zone: { zone, name: row.cell('name') || zone, country_code: country || null },
    factor: {
      zone,
      valid_from: from.toISOString(),
      valid_to: to.toISOString(),
      g_per_kwh: grams,
      basis,
      kind,
      source_year: year === '' ? null : Number(year),
      source_row: `${row.cell('source')}: ${zone} = ${said} g CO2e/kWh (${row.cell('licence')})`,
    },
  };
}
