import { mean, quantile } from '../../figures/statistics.ts';
import type { DailyPriceRow, JudgedVote, VoteRow } from '../queries/votes.ts';
import { type Band, otherVotesOf, screenVote, type ScreenedPrice } from './screen-votes.ts';
import type { OwnHistory } from './own-history.ts';

/** What the votes of a day are held against. */
export interface Judging {
  bandOf: (productId: number, priceType: number) => Band | null;
  history: OwnHistory;
  /** its prices move by a multiple from one day to the next */
  isVolatile: (vote: VoteRow) => boolean;
  /** an operator says that this provider's prices are what they are */
  isAccepted: (vote: VoteRow, day: string) => boolean;
}

export interface JudgedDay {
  votes: JudgedVote[];
  prices: DailyPriceRow[];
}

/** Providers from which on a price is that of a market, and the fewest that may be called a price at all. */
const [OK, THIN] = [3, 2];

/**
 * The votes of a day, screened, and its prices: of each product and term the mean, median and tenths of the votes that count,
 * in each country and over all. A day all of whose votes are kept out has no price. Votes of segments are kept beside them
 * and make no price.
 */
export function judgeDay(day: string, votes: readonly VoteRow[], judging: Judging): JudgedDay {
  const judged: JudgedDay = { votes: [], prices: [] };
  for (const ofProduct of Map.groupBy(votes, ({ product_id, price_type }) => `${product_id} ${price_type}`).values()) {
    const screened = screenProduct(day, ofProduct, judging);
    judged.votes.push(...screened);
    const standard = screened.filter(({ segment, screened_by }) => segment === '' && screened_by === null);
    for (const counted of Map.groupBy(standard, ({ country }) => country).values())
      judged.prices.push(priceOf(counted));
  }
  for (const vote of judged.votes) if (vote.segment === '') judging.history.add(vote);
  return judged;
}

/** All votes of one product and term. */
function screenProduct(
  day: string,
  votes: readonly VoteRow[],
  { bandOf, history, isAccepted, isVolatile }: Judging,
): JudgedVote[] {
  const [first] = votes;
  const band = first === undefined ? null : bandOf(first.product_id, first.price_type);
  const held = votes.map((vote) => {
    const isFree = vote.segment !== '' || isAccepted(vote, day);
    return { vote, isFree, ...(isFree ? { own: null, last: null } : history.before(day, vote, isVolatile(vote))) };
  });
  // A vote that only the others could speak for is not among them.
  const alone = { band, others: null, peers: () => [], worldwide: null, before: null };
  const among = held.filter(
    ({ vote, isFree, own }) => isWorldwide(vote) && (isFree || screenVote(vote.price, { ...alone, own }) === null),
  );
  const others = otherVotesOf(among.map(({ vote }) => vote.price));
  const peersOf = ({ provider_id }: VoteRow): number[] =>
    among.filter(({ vote }) => vote.provider_id !== provider_id).map(({ vote }) => vote.price);
  const ofProvider = new Map<number, ScreenedPrice>();
  // Votes over all countries come first: '' sorts before every code.
  return held.map(({ vote, own, last, isFree }) => {
    const worldwide = isWorldwide(vote) ? null : (ofProvider.get(vote.provider_id) ?? null);
    const measures = { band, own, others, peers: () => peersOf(vote), worldwide, before: last };
    const screened_by = isFree ? null : screenVote(vote.price, measures);
    if (isWorldwide(vote)) ofProvider.set(vote.provider_id, { price: vote.price, screened_by });
    return { ...vote, day, own_level: own?.level ?? null, own_days: own?.days ?? null, screened_by };
  });
}

/** Of the standard market, over all countries. */
const isWorldwide = ({ country, segment }: VoteRow): boolean => country === '' && segment === '';

/** Of at least one vote, in the order that their sum is made in. */
function priceOf(counted: readonly JudgedVote[]): DailyPriceRow {
  const { day, product_id, price_type, country } = counted[0] as JudgedVote;
  const prices = counted.map(({ price }) => price);
  const ascending = Float64Array.from(prices).toSorted();
  return {
    day,
    product_id,
    price_type,
    country,
    price: mean(prices),
    price_median: quantile(ascending, 0.5),
    p10: quantile(ascending, 0.1),
    p90: quantile(ascending, 0.9),
    provider_count: counted.length,
    sample_size: counted.reduce((sum, { observations }) => sum + observations, 0),
    oldest_quote: counted.reduce((oldest, { oldest_quote }) => (oldest_quote < oldest ? oldest_quote : oldest), day),
    status: counted.length >= OK ? 'ok' : counted.length >= THIN ? 'thin' : 'insufficient',
  };
}
