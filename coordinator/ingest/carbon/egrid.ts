import {
  FIRST_YEAR_WITH_AR5,
  subregionFactor,
  subregionZone,
  type SubregionRates,
} from '../../carbon/factors/egrid-subregion.ts';
import { gramsPerKwh } from '../../carbon/factors/factor.ts';
import { FormatError } from '../connector.ts';
import { amountIn } from '../reading/cell-values.ts';
import { type CsvFormat, placesIn } from '../reading/read-csv.ts';
import { CsvRecord } from '../reading/csv-records.ts';
import { CsvRow } from '../reading/csv-row.ts';
import type { CarbonConnector, CarbonFile, CarbonReading } from './carbon-connector.ts';
import { collectCsv, collectRows, Misfit, type Collected, rateIn } from './collect-rows.ts';
import { readEgridWorkbook, peekedWorkbook } from './egrid-workbook.ts';

type Rate = 'SRCO2RTA' | 'SRCH4RTA' | 'SRN2ORTA' | 'SRC2ERTA';
type Column = 'SUBRGN' | 'SRNAME' | Rate | `${Rate}_lb_per_MWh`;

/** The workbook names columns by EPA's codes; a CSV may add the unit to them. */
const format: CsvFormat<Column> = {
  required: ['SUBRGN', 'SRNAME'],
  anyOf: [
    ['SRCO2RTA', 'SRCO2RTA_lb_per_MWh'],
    ['SRCH4RTA', 'SRCH4RTA_lb_per_MWh'],
    ['SRN2ORTA', 'SRN2ORTA_lb_per_MWh'],
  ],
  optional: ['SRC2ERTA', 'SRC2ERTA_lb_per_MWh'],
  looks: { SRCO2RTA: 'number', SRCO2RTA_lb_per_MWh: 'number' },
};

/**
 * EPA's eGRID, the workbook (sheet SRL and the year) or a CSV of that sheet. Rates are lb/MWh of CO2, CH4 and N2O; CO2e is EPA's
 * own if EPA computes it with AR5, and is summed over the three gases if it is missing or computed with AR4.
 */
export const egrid: CarbonConnector = {
  name: 'egrid',
  title: 'EPA eGRID, rates of the subregions: workbook or CSV',
  url: null,
  read,
};

async function read(file: CarbonFile): Promise<CarbonReading> {
  const [isWorkbook, whole] = await peekedWorkbook(file);
  const { edition, collected } = await (isWorkbook ? fromWorkbook(whole) : fromCsv(whole));
  const { values, tally } = collected;
  const content = { zones: values.map(subregionZone), factors: values.map(subregionFactor) };
  const editions = [{ source: 'egrid' as const, scope: edition, ...content }];
  return { rowsRead: tally.rowsRead, rowsKept: values.length, refused: tally.refused, editions };
}

interface Read {
  edition: string;
  collected: Collected<SubregionRates>;
}

async function fromWorkbook(file: CarbonFile): Promise<Read> {
  const { year, header, rows } = await readEgridWorkbook(file);
  const edition = editionOf(file, year);
  const places = placesIn(file, header, format);
  const make = subregionReader(edition);
  const made = rows.map((cells, at) => {
    const row = new CsvRow(places, { width: header.length, varying: [] });
    row.take(new CsvRecord('', cells));
    return { row: at + 1, made: make(row) };
  });
  return { edition, collected: await collectRows(file, [made]) };
}

async function fromCsv(file: CarbonFile): Promise<Read> {
  const year = /egrid_?(20\d\d)(?!\d)[^/]*$/i.exec(file.name)?.[1];
  if (year === undefined)
    throw new FormatError(file, null, 'its name does not state the edition, as egrid2023.csv does');
  const edition = editionOf(file, Number(year));
  return { edition, collected: await collectCsv(file, format, subregionReader(edition)) };
}

/** eGRID2023, eGRID2023 rev2: EPA states the revision only in the file's name. */
function editionOf(file: CarbonFile, year: number): string {
  const revision = /[_-]rev(\d+)[^/]*$/i.exec(file.name)?.[1];
  return `eGRID${year}${revision === undefined ? '' : ` rev${revision}`}`;
}

function subregionReader(edition: string): (row: CsvRow<Column>) => SubregionRates | Misfit {
  const seen = new Set<string>();
  const usesAr5 = Number(edition.slice(5, 9)) >= FIRST_YEAR_WITH_AR5;
  return (row) => {
    const subregion = row.cell('SUBRGN');
    if (!/^[A-Z]{2,4}$/.test(subregion)) return new Misfit('no-subregion', subregion);
    if (seen.has(subregion)) return new Misfit('repeated', subregion);
    const [co2, ch4, n2o] = [rate(row, 'SRCO2RTA'), rate(row, 'SRCH4RTA'), rate(row, 'SRN2ORTA')];
    for (const gas of [co2, ch4, n2o]) if (gas instanceof Misfit) return gas;
    const published = usesAr5 ? rate(row, 'SRC2ERTA') : null;
    if (published instanceof Misfit && published.refusal !== 'no-figure') return published;
    seen.add(subregion);
    return {
      edition,
      subregion,
      name: row.cell('SRNAME'),
      co2_lb_per_mwh: Number(co2),
      ch4_lb_per_mwh: Number(ch4),
      n2o_lb_per_mwh: Number(n2o),
      co2e_lb_per_mwh: published instanceof Misfit ? null : published,
    };
  };
}

/** lb/MWh */
function rate(row: CsvRow<Column>, column: Rate): number | Misfit {
  const said = row.cell(column) || row.cell(`${column}_lb_per_MWh`);
  const grams = rateIn(said, gramsPerKwh(1));
  return grams instanceof Misfit ? grams : (amountIn(said) ?? NaN);
}
