import { regionOf } from './regions.ts';
import { ageOf, voteKey, type Vote } from './vote.ts';

/** The predictors of a price; a null one adds nothing. */
interface Terms {
  chip: string;
  product: string;
  price_type: number;
  /** kinds of providers with their shares, which add up to 1 */
  sellers: Readonly<Record<string, number>>;
  country: string | null;
  /** a continent; if null, that of the country */
  region: string | null;
  cards: number | null;
  /** days before the day that the model predicts for */
  age: number;
}

const DAYS_PER_YEAR = 365.25;
const HALF_LIFE_DAYS = 120;
const UNSAID = 'ZZ';
/** The most common kind, the reference for the others: a kind without any remaining provider is predicted like this one. */
const USUAL = 'Neocloud';
export const INTERCEPT = 'intercept';
const CARDS = 'log2 cards';
const AGE = 'age in years';

/**
 * The fixed part of the log price, by column name: intercept, chip, product, price type other than on demand, kind of
 * provider other than neocloud, region, country, log2 of the cards, age. A column that is not listed is 0.
 */
export function columnsOf(terms: Terms): [name: string, value: number][] {
  const { chip, product, price_type, sellers, country, region, cards, age } = terms;
  const columns: [string, number][] = [
    [INTERCEPT, 1],
    [`chip ${chip}`, 1],
    [`product ${product}`, 1],
  ];
  if (price_type !== 0) columns.push([`type ${price_type}`, 1]);
  for (const [kind, share] of Object.entries(sellers)) if (kind !== USUAL) columns.push([`sellers ${kind}`, share]);
  const continent = region ?? (country === null ? null : regionOf(country));
  if (continent !== null) columns.push([`region ${continent}`, 1]);
  if (country !== null && country !== UNSAID) columns.push([`country ${country}`, 1]);
  if (cards !== null && cards !== 1) columns.push([CARDS, Math.log2(cards)]);
  if (age !== 0) columns.push([AGE, age / DAYS_PER_YEAR]);
  return columns;
}

export const termsOf = ({ chip, product, price_type, sellers, country, cards, day }: Vote, asOf: string): Terms => ({
  chip,
  product,
  price_type,
  sellers: { [sellers]: 1 },
  country,
  region: null,
  cards,
  age: ageOf(day, asOf),
});

/** A price with its predictors, as the solver takes it. */
export interface Row {
  /** indexes of columns, and their values */
  places: number[];
  values: number[];
  /** log of the price */
  target: number;
  /** 1 for a whole vote of the day that the model predicts for */
  weight: number;
  provider: string;
  product: string;
}

export interface Design {
  columns: string[];
  rows: Row[];
}

/** Votes as rows; the countries of one vote share its weight, which halves every 120 days. */
export function designOf(votes: readonly Vote[], asOf: string): Design {
  const places = new Map<string, number>();
  const placeOf = (name: string): number => {
    const known = places.get(name) ?? places.size;
    places.set(name, known);
    return known;
  };
  const sharing = new Map<string, number>();
  const keys = votes.map(voteKey);
  for (const key of keys) sharing.set(key, (sharing.get(key) ?? 0) + 1);
  const rows = votes.map((vote, at): Row => {
    const columns = columnsOf(termsOf(vote, asOf));
    return {
      places: columns.map(([name]) => placeOf(name)),
      values: columns.map(([, value]) => value),
      target: Math.log(vote.price),
      weight: 0.5 ** (ageOf(vote.day, asOf) / HALF_LIFE_DAYS) / (sharing.get(keys[at] ?? '') ?? 1),
      provider: vote.provider,
      product: vote.product,
    };
  });
  return { columns: [...places.keys()], rows };
}

/** By column name; a missing name counts as 0. */
export type Coefficients = ReadonlyMap<string, number>;

/** Log price by the fixed part alone: the random effects of an unnamed provider are zero. */
export const predictLog = (coefficients: Coefficients, terms: Terms): number =>
  columnsOf(terms).reduce((sum, [name, value]) => sum + value * (coefficients.get(name) ?? 0), 0);
