/** `direct`: what the stacks emit; `lifecycle`: with construction, fuel and upstream. The two are never compared or mixed. */
export type Basis = 'direct' | 'lifecycle';

/** `average`: over all generation; `marginal`: of one additional kWh. Only averages are used; marginals are just shown. */
type FactorKind = 'average' | 'marginal';

/** What one kWh emits in a zone, according to one row of one published table. */
export interface Factor {
  zone: string;
  /** ISO instants; `valid_to` is exclusive */
  valid_from: string;
  valid_to: string;
  /** g CO2e per kWh */
  g_per_kwh: number;
  basis: Basis;
  kind: FactorKind;
  /** null if the publisher does not state it */
  source_year: number | null;
  /** the row as published, in its own units, so that the figure can be traced */
  source_row: string;
}

export interface Zone {
  zone: string;
  name: string;
  /** ISO 3166-1 alpha-2; null for several countries, or if the publisher does not state it */
  country_code: string | null;
}

/** Grams in a pound, as defined in 1959. */
const GRAMS_PER_POUND = 453.59237;
const KWH_PER_MWH = 1000;

export const gramsPerKwh = (poundsPerMwh: number): number => (poundsPerMwh * GRAMS_PER_POUND) / KWH_PER_MWH;

/** 100-year warming potentials of methane and nitrous oxide, IPCC AR5, as EPA uses them since eGRID2023. */
const GWP = { ch4: 28, n2o: 265 };

/** CO2e of the three gases, all in the same unit. */
export const co2e = ({ co2, ch4, n2o }: { co2: number; ch4: number; n2o: number }): number =>
  co2 + GWP.ch4 * ch4 + GWP.n2o * n2o;

/** For tables without a year: they are used as long as there is nothing newer. */
export const ANY_TIME: Pick<Factor, 'valid_from' | 'valid_to'> = {
  valid_from: '2021-01-01T00:00:00Z',
  valid_to: '2100-01-01T00:00:00Z',
};

/** g/kWh. A power station that burns only lignite emits less than 1,500; the database accepts no more than this. */
export const MOST_GRAMS = 5000;

export const ofYear = (year: number): Pick<Factor, 'valid_from' | 'valid_to'> => ({
  valid_from: `${year}-01-01T00:00:00Z`,
  valid_to: `${year + 1}-01-01T00:00:00Z`,
});

/** A factor with the edition that it comes from. */
export interface StoredFactor extends Omit<Factor, 'valid_from' | 'valid_to'> {
  valid_from: Date;
  valid_to: Date;
  source: string;
  scope: string;
  title: string;
  licence: string;
  credit: string;
  origin: string;
  published_on: string | null;
  /** comes with a version of the product; else an operator has loaded it */
  shipped: boolean;
  loaded_at: Date;
}
