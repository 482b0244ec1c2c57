/** What one provider's offers of a day say about a product, term and country. */
export interface Vote {
  provider_id: number;
  /** median of its offers, USD */
  price: number;
  /** offers behind it */
  observations: number;
}

export interface DayPrice {
  /** mean of the votes that count, USD */
  price: number;
  price_median: number;
  /** votes that count */
  provider_count: number;
  /** offers behind them */
  sample_size: number;
  /** providers whose vote lies too far from the others' to count */
  outliers: Set<number>;
}

/** With fewer votes nobody can say which of them is the odd one. */
const LEAST_VOTES = 4;
/** Robust standard deviations from the median; 1.4826 makes the median deviation one of a normal distribution. */
const DEVIATIONS = 3;
const NORMAL = 1.4826;
/** Votes that agree closely would condemn the next one for a few cents: within this ratio of the median nobody is odd. */
const RATIO = 2.5;

/**
 * The published price of a day: the mean of one vote per provider, without those that are both three robust deviations
 * and a factor of 2.5 away from the median. Several open price indices screen by the median absolute deviation in this
 * way; the factor keeps a market with two price levels whole. Null without votes: a missing day stays missing.
 */
export function judgeVotes(votes: readonly Vote[]): DayPrice | null {
  if (votes.length === 0) return null;
  const outliers = findOutliers(votes);
  const counted = votes.filter(({ provider_id }) => !outliers.has(provider_id));
  const prices = counted.map(({ price }) => price);
  return {
    price: prices.reduce((sum, price) => sum + price, 0) / prices.length,
    price_median: median(prices),
    provider_count: counted.length,
    sample_size: counted.reduce((sum, { observations }) => sum + observations, 0),
    outliers,
  };
}

function findOutliers(votes: readonly Vote[]): Set<number> {
  if (votes.length < LEAST_VOTES) return new Set();
  const middle = median(votes.map(({ price }) => price));
  const spread = NORMAL * median(votes.map(({ price }) => Math.abs(price - middle)));
  const isOdd = ({ price }: Vote): boolean =>
    Math.abs(price - middle) > DEVIATIONS * spread && Math.max(price / middle, middle / price) > RATIO;
  return new Set(votes.filter(isOdd).map(({ provider_id }) => provider_id));
}

/** Of at least one value. */
export function median(values: ArrayLike<number>): number {
  const sorted = new Float64Array(values).toSorted();
  const half = Math.floor(sorted.length / 2);
  const upper = sorted[half] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
}
