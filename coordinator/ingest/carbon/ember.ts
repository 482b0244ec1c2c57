import countries from 'i18n-iso-countries';
import { countryName } from '../../carbon/countries.ts';
import { ofYear, type Factor } from '../../carbon/factors/factor.ts';
import type { CsvFormat } from '../reading/read-csv.ts';
import type { CsvRow } from '../reading/csv-row.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, Misfit, rateIn } from './collect-rows.ts';

type Column =
  | ('Area' | 'ISO 3 code' | 'Country code' | 'Year' | 'Category' | 'Subcategory')
  | ('Variable' | 'Unit' | 'Value');

/** `Country code` is what releases until 2023 call the ISO 3 code. */
const format: CsvFormat<Column> = {
  required: ['Area', 'Year', 'Category', 'Subcategory', 'Variable', 'Unit', 'Value'],
  anyOf: [['ISO 3 code', 'Country code']],
  looks: { Year: 'count', Value: 'number' },
};

/** Ember includes the emissions of fuel and plant, even if the unit says CO2 alone. */
const UNITS = new Set(['gCO2/kWh', 'gCO2e/kWh', 'gCO2e per kWh', 'gCO2 per kWh']);

/** Ember's yearly release in its long form: one figure per row; about one in fifty is the carbon intensity. */
export const ember: CarbonConnector = {
  name: 'ember',
  title: 'Ember, yearly electricity data in long form',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const seen = new Set<string>();
  const { values, tally } = await collectCsv<Column, Factor & { source_year: number }>(file, format, (row) => {
    const factor = factorOf(row);
    if (factor instanceof Misfit) return factor;
    const key = `${factor.zone} ${factor.source_year}`;
    if (seen.has(key)) return new Misfit('repeated', key);
    seen.add(key);
    return factor;
  });
  const editions = [...Map.groupBy(values, ({ source_year }) => source_year)].map(([year, factors]) => ({
    source: 'ember-yearly' as const,
    scope: String(year),
    zones: factors.map(({ zone }) => ({ zone, name: countryName(zone) ?? zone, country_code: zone })),
    factors,
  }));
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions };
}

function factorOf(row: CsvRow<Column>): (Factor & { source_year: number }) | Misfit {
  const [category, subcategory] = [row.cell('Category'), row.cell('Subcategory')];
  if (category !== 'Power sector emissions' || subcategory !== 'CO2 intensity')
    return new Misfit('other-figure', `${category}, ${subcategory}`);
  const variable = row.cell('Variable');
  if (variable !== 'CO2 intensity') return new Misfit('other-figure', variable);
  const [unit, said, area] = [row.cell('Unit'), row.cell('Value'), row.cell('Area')];
  if (!UNITS.has(unit)) return new Misfit('other-unit', unit);
  const iso3 = row.cell('ISO 3 code') || row.cell('Country code');
  const zone = /^[A-Z]{3}$/.test(iso3) ? countries.alpha3ToAlpha2(iso3) : undefined;
  if (zone === undefined) return new Misfit('no-country', area);
  const year = Number(row.cell('Year'));
  if (!Number.isInteger(year) || year < 1990 || year > 2100) return new Misfit('bad-year', row.cell('Year'));
  const grams = rateIn(said);
  if (grams instanceof Misfit) return grams;
  const source_row = `${year}: ${area} (${iso3}), ${variable} = ${said} ${unit}`;
  return {
    zone,
    ...ofYear(year),
    g_per_kwh: grams,
    basis: 'lifecycle',
    kind: 'average',
    source_year: year,
    source_row,
  };
}
