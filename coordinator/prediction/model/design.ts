import { regionOf } from './regions.ts';
import { ageOf, voteKey, type Vote } from './vote.ts';

/** What a price is predicted from; a part that is null adds nothing. */
interface Terms {
  chip: string;
  product: string;
  price_type: number;
  /** kinds of providers with their shares, of 1 in all */
  sellers: Readonly<Record<string, number>>;
  country: string | null;
  /** a continent; used if there is no country */
  region: string | null;
  cards: number | null;
  /** days before the day that the model speaks of */
  age: number;
}

const DAYS_PER_YEAR = 365.25;
const HALF_LIFE_DAYS = 120;
const UNSAID = 'ZZ';
/** The kind that most are of, which the others are held against: a kind that nobody is left of is as this one. */
const USUAL = 'Neocloud';
export const INTERCEPT = 'intercept';
const CARDS = 'log2 cards';
const AGE = 'age in years';

/**
 * The fixed part of log price, by the names of its columns: intercept, chip, product, price type beside on demand, kind of
 * provider beside neoclouds, region, country, log2 of the cards, age. What is not named is 0.
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

/** A price with what it is predicted from, as the solver takes it. */
export interface Row {
  /** places of columns, and their values */
  places: number[];
  values: number[];
  /** log of the price */
  target: number;
  /** 1 for a whole vote of the day that the model speaks of */
  weight: number;
  provider: string;
  product: string;
}

export interface Design {
  columns: string[];
  rows: Row[];
}

/** Votes as rows; the countries of one vote share its weight, which halves in 120 days. */
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

/** By name of a column; a name that is missing counts 0. */
export type Coefficients = ReadonlyMap<string, number>;

/** Log of the price that the fixed part gives: random effects are zero for those who are not named. */
export const predictLog = (coefficients: Coefficients, terms: Terms): number =>
  columnsOf(terms).reduce((sum, [name, value]) => sum + value * (coefficients.get(name) ?? 0), 0);
