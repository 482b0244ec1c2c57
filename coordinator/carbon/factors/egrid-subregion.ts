import { co2e, gramsPerKwh, ofYear, type Factor, type Zone } from './factor.ts';

/** A row of eGRID's table of subregions: total output emission rates in lb/MWh. */
export interface SubregionRates {
  /** begins with eGRID and the year */
  edition: string;
  subregion: string;
  name: string;
  co2_lb_per_mwh: number;
  ch4_lb_per_mwh: number;
  n2o_lb_per_mwh: number;
  /** SRC2ERTA; null if EPA calculates it with the older warming potentials */
  co2e_lb_per_mwh: number | null;
}

/** EPA calculates SRC2ERTA with AR5 from this edition on, with AR4 (25 CH4, 298 N2O) in earlier ones. */
export const FIRST_YEAR_WITH_AR5 = 2023;

export const subregionZone = ({ subregion, name }: SubregionRates): Zone => ({
  zone: subregion,
  name: `${name} (eGRID ${subregion})`,
  country_code: 'US',
});

export function subregionFactor(row: SubregionRates): Factor {
  const gases = { co2: row.co2_lb_per_mwh, ch4: row.ch4_lb_per_mwh, n2o: row.n2o_lb_per_mwh };
  const year = Number(row.edition.slice(5, 9));
  const published = row.co2e_lb_per_mwh;
  const pounds = published ?? co2e(gases);
  const how = published === null ? `CO2 ${gases.co2} + 28 CH4 ${gases.ch4} + 265 N2O ${gases.n2o}` : 'SRC2ERTA';
  return {
    zone: row.subregion,
    // Rates of a year are used until the next ones are published; `chooseFactor` chooses by year.
    ...ofYear(year),
    g_per_kwh: gramsPerKwh(pounds),
    basis: 'direct',
    kind: 'average',
    source_year: year,
    source_row: `${row.edition} ${row.subregion}: ${how} = ${pounds} lb/MWh`,
  };
}
