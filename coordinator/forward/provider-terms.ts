import { geometricMean, linearMedian, mean } from '../figures/statistics.ts';
import { monthsOf, type Knot } from './curve.ts';

/** One vote: what a provider asked in a country on a day, on demand (0) or for a term. */
export interface RateRow {
  provider: string;
  /** YYYY-MM-DD, the same for all rows of a provider */
  day: string;
  /** '' over all countries */
  country: string;
  /** 0, or months of the term */
  price_type: number;
  contract: Contract;
  price: number;
}

const contracts = ['standard', 'convertible'] as const;
type Contract = (typeof contracts)[number];

/** A rate of a term, with the price on demand of the same provider, country and day. */
interface Pair {
  country: string;
  tenor: number;
  rate: number;
  on_demand: number;
}

/** One provider's own term structure, with its inputs. */
export interface ProviderTerms {
  provider: string;
  day: string;
  contract: Contract;
  /** USD on demand over all its countries */
  on_demand: number;
  /** tenor -> rate / price on demand: the median over the countries that have both */
  ratios: { tenor: number; ratio: number }[];
  pairs: Pair[];
}

export interface Left {
  provider: string;
  reason: string;
}

/** Days of each term as sold; a year is 365 days. */
const termDays: Record<number, number> = { 1: 30, 3: 91, 6: 182, 12: 365, 24: 730, 36: 1095 };
/** A class of contract that has both of these terms is preferred. */
const PUBLISHED = [12, 36];

/**
 * A provider's term structure from its votes of one day, from a single class of contract: the first of Standard and
 * Convertible that has both 1 and 3 years; else Standard if it has every term that Convertible has, or Convertible if
 * it is the only class. Otherwise the terms are a mix, which is left out.
 */
export function providerTerms(rows: readonly RateRow[]): ProviderTerms | Left {
  const [first] = rows;
  if (first === undefined) throw new RangeError('no rates');
  const { provider, day } = first;
  const onDemand = new Map(rows.filter(isOnDemand).map(({ country, price }) => [country, price]));
  const level = onDemand.get('');
  if (level === undefined) return { provider, reason: `no price on demand on ${day}` };
  const pairsOf = (contract: Contract): Pair[] =>
    rows.flatMap((row) => {
      const beside = onDemand.get(row.country);
      const days = termDays[row.price_type];
      if (row.contract !== contract || row.country === '' || beside === undefined || days === undefined) return [];
      return [{ country: row.country, tenor: monthsOf(days), rate: row.price, on_demand: beside }];
    });
  const contract = contractOf(new Map(contracts.map((one) => [one, tenorsOf(pairsOf(one))])));
  if (contract === 'mixed')
    return { provider, reason: 'its terms mix Standard and Convertible contracts; a mix is not published' };
  if (contract === 'none') return { provider, reason: `no term rate together with an on-demand price on ${day}` };
  const pairs = pairsOf(contract);
  const ratios = tenorsOf(pairs).map((tenor) => ({
    tenor,
    ratio: linearMedian(pairs.filter((pair) => pair.tenor === tenor).map(({ rate, on_demand }) => rate / on_demand)),
  }));
  return { provider, day, contract, on_demand: level, ratios, pairs };
}

function contractOf(tenors: ReadonlyMap<Contract, readonly number[]>): Contract | 'mixed' | 'none' {
  const of = (contract: Contract): readonly number[] => tenors.get(contract) ?? [];
  const whole = contracts.find((contract) => PUBLISHED.every((tenor) => of(contract).includes(tenor)));
  if (whole !== undefined) return whole;
  const [standard, convertible] = [of('standard'), of('convertible')];
  if (convertible.length === 0) return standard.length === 0 ? 'none' : 'standard';
  if (standard.length === 0) return 'convertible';
  return convertible.every((tenor) => standard.includes(tenor)) ? 'standard' : 'mixed';
}

const isOnDemand = ({ price_type, contract }: RateRow): boolean => price_type === 0 && contract === 'standard';

const tenorsOf = (pairs: readonly Pair[]): number[] =>
  [...new Set(pairs.map(({ tenor }) => tenor))].toSorted((a, b) => a - b);

/** A ratio of a price with a commitment to the price on demand, from the operator's table. */
export interface NamedRatio {
  provider: string;
  tenor: number;
  ratio: number;
  /** YYYY-MM-DD */
  as_of: string;
  source_url: string;
}

interface Blend {
  /** USD on demand: the mean over the providers */
  level: number;
  knots: Knot[];
  /** ratios that fill a tenor which no provider of the class publishes */
  used: NamedRatio[];
}

/**
 * Blends providers into one curve: the mean of their prices on demand times the geometric mean of their own ratios of
 * rate to price on demand, so that an expensive provider with one tenor does not bend the curve. Every provider has one
 * vote. A tenor of 1 or 3 years that none of them publishes is filled by their ratios from the operator's table, if
 * there are any.
 */
export function blend(providers: readonly ProviderTerms[], named: readonly NamedRatio[]): Blend {
  const level = mean(providers.map(({ on_demand }) => on_demand));
  const observed = Map.groupBy(
    providers.flatMap(({ ratios }) => ratios),
    ({ tenor }) => tenor,
  );
  const used = named.filter(
    ({ provider, tenor }) => !observed.has(tenor) && providers.some((one) => one.provider === provider),
  );
  const knotsOf = (groups: ReadonlyMap<number, readonly { ratio: number }[]>, basis: Knot['basis']): Knot[] =>
    [...groups].map(([tenor, of]) => ({ tenor, rate: level * meanRatio(of.map(({ ratio }) => ratio)), basis }));
  const filled = Map.groupBy(used, ({ tenor }) => tenor);
  const knots = [...knotsOf(observed, 'observed'), ...knotsOf(filled, 'ratio')].toSorted((a, b) => a.tenor - b.tenor);
  return { level, knots, used };
}

/** A single ratio stays as it is: exp(ln x) can differ from x in the last bit. */
const meanRatio = (ratios: readonly number[]): number =>
  ratios.length === 1 ? (ratios[0] ?? Number.NaN) : geometricMean(ratios);
