import { geometricMean, linearMedian, mean } from '../figures/statistics.ts';
import { monthsOf, type Knot } from './curve.ts';

/** One vote: what a provider asked in a country on a day, on demand (0) or for a term. */
export interface RateRow {
  provider: string;
  /** YYYY-MM-DD, the same of all rows of a provider */
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

/** A rate of a term beside the price on demand of the same provider, country and day. */
interface Pair {
  country: string;
  tenor: number;
  rate: number;
  on_demand: number;
}

/** One provider's own term structure, with all that it was made of. */
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

/** Days of the terms that are sold; a year's is 365 days. */
const termDays: Record<number, number> = { 1: 30, 3: 91, 6: 182, 12: 365, 24: 730, 36: 1095 };
/** A contract is a curve's if it has both. */
const PUBLISHED = [12, 36];

/**
 * A provider's term structure from its votes of one day. One class of contract alone: Standard if both terms of 1 and 3 years
 * exist in it, else Convertible; terms of which one exists in this class and the other in that are a mix, and no structure.
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
    return { provider, reason: 'its terms are of Standard and Convertible contracts; a mix is not published' };
  if (contract === 'none') return { provider, reason: `no rate of a term with a price on demand beside it on ${day}` };
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

/** A named ratio of a price with a commitment to the price on demand. */
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
  /** that fill a tenor which nobody of the class publishes */
  used: NamedRatio[];
}

/**
 * The curve of a class of providers: the mean of what they ask on demand times the geometric mean of each one's own
 * rate / price on demand, so that a dear provider with one tenor does not bend the curve. Every provider has one vote. A tenor
 * of 1 or 3 years that nobody publishes is filled by the ratios named by these providers, if there are any.
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

/** A ratio alone stays as it is: exp(ln x) can differ from x in the last bit. */
const meanRatio = (ratios: readonly number[]): number =>
  ratios.length === 1 ? (ratios[0] ?? Number.NaN) : geometricMean(ratios);
