import { linearMedian, scaledMad } from '../../figures/statistics.ts';
import { parametersIn } from '../identity/parameters.ts';
import { PLAUSIBLE, type TokenScreen } from '../screens.ts';
import { companyOf } from '../sellers.ts';

/** Prices needed to compare one with the others. Prices are compared by their ratio: half is as far away as double. */
const LEAST_PRICES = 3;
/**
 * Allowed distance from the others in robust deviations, and the factor that is allowed however closely they agree: in the
 * publishers' files the cheapest and the fastest hosts of open models ask an eighth to eight times of the median.
 */
const DEVIATIONS = 3;
const LEAST_FACTOR = 8;
/** Two sellers that differ by more than this contradict each other, and there is no telling which is right. */
const CONTRADICTION = 20;
/** The largest step of a seller's own price that needs no support: DeepSeek has cut a price to a fifth, OpenAI to a fifth. */
const OWN_FACTOR = 10;
/** Other sellers needed for their median to support a step. */
const LEAST_PEERS = 2;
/**
 * A model of a stated size costs at most 5 USD and 1 USD per billion of parameters: the dearest of the publishers' files that is
 * no slip costs 0.8 for 1 billion (SambaNova, Llama 3.2 1B) and 21 for 405.
 */
const MOST_AT_ANY_SIZE = 5;
const MOST_PER_BILLION = 1;

/** A seller's price of a model on a day, USD per million tokens. */
export interface SoldPrice {
  seller: string;
  /** the lab or a platform: it counts in the pulse unless it is screened; a marketplace's is only compared with */
  votes: boolean;
  input: number;
  output: number;
  /** the marketplace's price of the same reading, under the lab's name */
  isCopied: boolean;
  /** the operator's own file says so: it counts as it is */
  isAccepted: boolean;
  /** the seller's plausible prices of the 30 days before, one of each day */
  before: () => readonly Sides[];
}

export interface Sides {
  input: number;
  output: number;
}

const sides = ['input', 'output'] as const;

/** For each price of a model on a day the first screen that it fails; null if it counts. Later screens are skipped. */
export function screenPrices(model: string, prices: readonly SoldPrice[]): (TokenScreen | null)[] {
  const found = new Map<SoldPrice, TokenScreen>();
  const isLeft = (price: SoldPrice): boolean => !found.has(price);
  const screen = (which: (price: SoldPrice) => boolean, by: TokenScreen): void => {
    for (const price of prices) if (isLeft(price) && !price.isAccepted && which(price)) found.set(price, by);
  };
  screen(isUnconfirmedCopy, 'copied');
  const isPlausible = plausibleFor(model);
  screen((price) => !isPlausible(price), 'band');
  const plausible = prices.filter(isLeft);
  screen((price) => price.votes && isStep(price, plausible), 'own-history');
  const first = firstOfCompanies(prices.filter((price) => isLeft(price) && price.votes));
  screen((price) => price.votes && first.get(companyOf(price.seller)) !== price, 'same-company');
  const votes = prices.filter((price) => isLeft(price) && price.votes);
  // With fewer than three, marketplaces help to tell which is right.
  const compared = votes.length < LEAST_PRICES ? prices.filter(isLeft) : votes;
  const isOut = outsideOf(compared);
  screen((price) => price.votes && isOut(price), 'others');
  const left = prices.filter((price) => isLeft(price) && price.votes);
  const [one, two] = left;
  if (left.length === 2 && one && two && apart(one, two) > Math.log(CONTRADICTION)) screen((p) => p.votes, 'others');
  return prices.map((price) => found.get(price) ?? null);
}

/** Whether a price is one that a model of this name can have; 0 is. */
export function plausibleFor(model: string): (price: Sides) => boolean {
  const size = parametersIn({ name: model, huggingFaceId: null, description: null })?.total ?? null;
  const bySize = size === null ? PLAUSIBLE.high : MOST_AT_ANY_SIZE + MOST_PER_BILLION * Number(size);
  const high = Math.min(PLAUSIBLE.high, bySize);
  return (price) => sides.every((side) => price[side] === 0 || (price[side] >= PLAUSIBLE.low && price[side] <= high));
}

/** The largest distance of two prices on a side on which both ask something, as the logarithm of a factor. */
const apart = (a: Sides, b: Sides): number =>
  Math.max(0, ...sides.map((side) => (a[side] > 0 && b[side] > 0 ? Math.abs(Math.log(a[side] / b[side])) : 0)));

const middleOf = (prices: readonly Sides[]): Sides => ({
  input: linearMedian(prices.map(({ input }) => input)),
  output: linearMedian(prices.map(({ output }) => output)),
});

/** The lab itself is known to ask this price if it has been read elsewhere. */
const isUnconfirmedCopy = ({ isCopied, input, output, before }: SoldPrice): boolean =>
  isCopied && !before().some((one) => one.input === input && one.output === output);

/** Too far from the seller's own level, and not towards the others: a seller that moves towards them is believed. */
function isStep(price: SoldPrice, plausible: readonly SoldPrice[]): boolean {
  const before = price.before();
  if (before.length === 0) return false;
  const level = middleOf(before);
  if (apart(price, level) <= Math.log(OWN_FACTOR)) return false;
  const peers = plausible.filter((other) => other !== price && other.votes);
  if (peers.length < LEAST_PEERS) return true;
  const middle = middleOf(peers);
  return apart(price, middle) >= apart(level, middle);
}

/** Of each company the vote of the list that it is named after, else of the first by name. */
function firstOfCompanies(votes: readonly SoldPrice[]): Map<string, SoldPrice> {
  const first = new Map<string, SoldPrice>();
  for (const vote of votes) {
    const company = companyOf(vote.seller);
    const known = first.get(company);
    if (known === undefined || vote.seller === company || (known.seller !== company && vote.seller < known.seller))
      first.set(company, vote);
  }
  return first;
}

/** Whether a price is too far from these, of which it is one. */
function outsideOf(prices: readonly SoldPrice[]): (price: SoldPrice) => boolean {
  if (prices.length < 2) return () => false;
  const [one, two] = prices;
  if (prices.length < LEAST_PRICES)
    return () => one !== undefined && two !== undefined && apart(one, two) > Math.log(CONTRADICTION);
  const limits = sides.map((side) => {
    const logs = prices.flatMap((price) => (price[side] > 0 ? [Math.log(price[side])] : []));
    const middle = linearMedian(logs);
    return { side, middle, most: Math.max(Math.log(LEAST_FACTOR), DEVIATIONS * scaledMad(logs, middle)) };
  });
  return (price) =>
    limits.some(({ side, middle, most }) => price[side] > 0 && Math.abs(Math.log(price[side]) - middle) > most);
}
