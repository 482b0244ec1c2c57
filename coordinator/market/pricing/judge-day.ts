import { mean, quantile } from '../../figures/statistics.ts';
import type { DailyPriceRow, JudgedVote, VoteRow } from '../queries/votes.ts';
import { type Band, otherVotesOf, screenVote, type ScreenedPrice } from './screen-votes.ts';
import type { OwnHistory } from './own-history.ts';

/** What the votes of a day are judged by. */
export interface Judging {
  bandOf: (productId: number, priceType: number) => Band | null;
  history: OwnHistory;
  /** its prices move by large factors from one day to the next */
  isVolatile: (vote: VoteRow) => boolean;
  /** an operator has ruled that this provider's prices count as they are */
  isAccepted: (vote: VoteRow, day: string) => boolean;
}

export interface JudgedDay {
  votes: JudgedVote[];
  prices: DailyPriceRow[];
}

/** Providers needed for the status `ok`, and for `thin`; with fewer it is `insufficient`. */
const [OK, THIN] = [3, 2];

/**
 * Screens the votes of a day and computes its prices: for each product and term the mean, median, p10 and p90 of the
 * counted votes, by country and over all. Without a counted vote there is no price. Votes of segments are kept too but
 * make no price.
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

/** Screens all votes of one product and term. */
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
  // The votes to compare with: those over all countries that pass without the support of other providers.
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

/** `counted` holds at least one vote, in the fixed order in which they are summed. */
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
