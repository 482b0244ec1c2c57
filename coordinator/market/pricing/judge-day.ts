import { mean, quantile } from '../../figures/statistics.ts';
import type { DailyPriceRow, JudgedVote, VoteRow } from '../queries/votes.ts';
import { type Band, otherVotesOf, screenVote, type ScreenedPrice } from './screen-votes.ts';
import type { OwnHistory } from './own-history.ts';
import { isStillMoved, movedWithSource } from './moved-with-source.ts';

/** What the votes of a day are judged by. */
export interface Judging {
  bandOf: (productId: number, priceType: number) => Band | null;
  history: OwnHistory;
  /** its prices move by large factors from one day to the next */
  isVolatile: (vote: VoteRow) => boolean;
  /** an operator has ruled that this provider's prices count as they are */
  isAccepted: (vote: VoteRow, day: string) => boolean;
  /** an operator has said that this source's prices changed their unit on this day */
  hasChangedUnit: (source: string, day: string) => boolean;
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
 * make no price. Beside votes whose unit is unsure a price is insufficient, however many others there are.
 */
export function judgeDay(day: string, votes: readonly VoteRow[], judging: Judging): JudgedDay {
  const judged: JudgedDay = { votes: [], prices: [] };
  const isMoved = movedWithSource(day, votes, judging);
  for (const ofProduct of Map.groupBy(votes, ({ product_id, price_type }) => `${product_id} ${price_type}`).values()) {
    const screened = screenProduct(day, ofProduct, isMoved, judging);
    judged.votes.push(...screened);
    const standard = screened.filter(({ segment }) => segment === '');
    for (const there of Map.groupBy(standard, ({ country }) => country).values()) {
      const counted = there.filter(({ screened_by }) => screened_by === null);
      if (counted.length > 0) judged.prices.push(priceOf(counted, there.length > counted.length && hasUnsure(there)));
    }
  }
  for (const vote of judged.votes) if (vote.segment === '') judging.history.add(vote);
  return judged;
}

const hasUnsure = (votes: readonly JudgedVote[]): boolean => votes.some(({ screened_by }) => screened_by === 'unit');

/** Screens all votes of one product and term. */
function screenProduct(
  day: string,
  votes: readonly VoteRow[],
  isMoved: (vote: VoteRow) => boolean,
  { bandOf, history, isAccepted, isVolatile }: Judging,
): JudgedVote[] {
  const [first] = votes;
  const band = first === undefined ? null : bandOf(first.product_id, first.price_type);
  const held = votes.map((vote) => {
    const isFree = vote.segment !== '' || isAccepted(vote, day);
    if (isFree) return { vote, isFree, isUnsure: false, own: null, last: null };
    const before = history.before(day, vote, isVolatile(vote));
    return { vote, isFree, isUnsure: isMoved(vote) || isStillMoved(vote.price, before.last), ...before };
  });
  // The votes to compare with: those over all countries that pass without the support of other providers.
  const alone = { band, others: null, peers: () => [], worldwide: null, before: null };
  const among = held.filter(
    ({ vote, isFree, isUnsure, own }) =>
      isWorldwide(vote) && !isUnsure && (isFree || screenVote(vote.price, { ...alone, own }) === null),
  );
  const others = otherVotesOf(among.map(({ vote }) => vote.price));
  const peersOf = ({ provider_id }: VoteRow): number[] =>
    among.filter(({ vote }) => vote.provider_id !== provider_id).map(({ vote }) => vote.price);
  const ofProvider = new Map<number, ScreenedPrice>();
  // Votes over all countries come first: '' sorts before every code.
  return held.map(({ vote, own, last, isFree, isUnsure }) => {
    const worldwide = isWorldwide(vote) ? null : (ofProvider.get(vote.provider_id) ?? null);
    const measures = { band, own, others, peers: () => peersOf(vote), worldwide, before: last };
    const screened_by = isFree ? null : isUnsure ? 'unit' : screenVote(vote.price, measures);
    if (isWorldwide(vote)) ofProvider.set(vote.provider_id, { price: vote.price, screened_by });
    return { ...vote, day, own_level: own?.level ?? null, own_days: own?.days ?? null, screened_by };
  });
}

/** Of the standard market, over all countries. */
const isWorldwide = ({ country, segment }: VoteRow): boolean => country === '' && segment === '';

/** `counted` holds at least one vote, in the fixed order in which they are summed. */
function priceOf(counted: readonly JudgedVote[], isUnsure: boolean): DailyPriceRow {
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
    status: isUnsure || counted.length < THIN ? 'insufficient' : counted.length < OK ? 'thin' : 'ok',
  };
}
