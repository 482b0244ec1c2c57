/** `direct`: what the stacks emit; `lifecycle`: with building, fuel and upstream. The two are never compared or mixed. */
export type Basis = 'direct' | 'lifecycle';

/** `average`: of all that is generated; `marginal`: of what one kWh more would bring. Only averages answer; marginals are shown. */
type FactorKind = 'average' | 'marginal';

/** What one kWh emits in a zone, as one row of one published table says. */
export interface Factor {
  zone: string;
  /** ISO instants; `valid_to` is exclusive */
  valid_from: string;
  valid_to: string;
  /** g CO2e per kWh */
  g_per_kwh: number;
  basis: Basis;
  kind: FactorKind;
  /** null: the publisher does not say which */
  source_year: number | null;
  /** the row as published, in its own units, so that the figure can be followed */
  source_row: string;
}

export interface Zone {
  zone: string;
  name: string;
  /** ISO 3166-1 alpha-2; null: several countries, or the publisher does not say */
  country_code: string | null;
}

/** A pound in grams, by definition of 1959; lb/MWh divided by it as below is g/kWh. */
const GRAMS_PER_POUND = 453.59237;
const KWH_PER_MWH = 1000;

export const gramsPerKwh = (poundsPerMwh: number): number => (poundsPerMwh * GRAMS_PER_POUND) / KWH_PER_MWH;

/** 100-year warming potentials of methane and nitrous oxide, IPCC AR5, as EPA uses them since eGRID2023. */
const GWP = { ch4: 28, n2o: 265 };

/** CO2e of the three gases, all in the same unit. */
export const co2e = ({ co2, ch4, n2o }: { co2: number; ch4: number; n2o: number }): number =>
  co2 + GWP.ch4 * ch4 + GWP.n2o * n2o;

/** Of tables that name no year: they answer for as long as nothing newer is there. */
export const ANY_TIME: Pick<Factor, 'valid_from' | 'valid_to'> = {
  valid_from: '2021-01-01T00:00:00Z',
  valid_to: '2100-01-01T00:00:00Z',
};

/** g/kWh. What a power station of pure lignite emits is below 1,500; the database takes no more than this. */
export const MOST_GRAMS = 5000;

export const ofYear = (year: number): Pick<Factor, 'valid_from' | 'valid_to'> => ({
  valid_from: `${year}-01-01T00:00:00Z`,
  valid_to: `${year + 1}-01-01T00:00:00Z`,
});

/** A factor with the edition that it came in. */
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
  /** came with a version of the product; else an operator has loaded it */
  shipped: boolean;
  loaded_at: Date;
}
