import type { Transaction } from '../../platform/db/client.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';
import { refreshPresence } from '../queries/presence.ts';
import {
  deletePrices,
  insertPrices,
  lockPrices,
  refreshLatest,
  selectOffers,
  type DailyPriceRow,
  type JudgedVote,
  type OfferRow,
  type VoteRow,
} from '../queries/votes.ts';
import { judgeVotes } from './judge-votes.ts';
import { votesOf } from './votes-of-offers.ts';

/** Votes that are written at once: those of some days. */
const BATCH = 20_000;

interface Judged {
  votes: JudgedVote[];
  prices: DailyPriceRow[];
}

/** The prices of these days again from their observations, and whatever follows from them. The same observations give the same prices. */
export async function recomputeDays(tx: Transaction, days: readonly string[]): Promise<void> {
  await lockPrices(tx, days);
  await deletePrices(tx, days);
  let judged: Judged = { votes: [], prices: [] };
  let written: Promise<void> = Promise.resolve();
  for await (const { day, offers } of offersOf(tx, days)) {
    judgeDay(judged, day, votesOf(offers));
    if (judged.votes.length < BATCH && day !== days.at(-1)) continue;
    await written;
    written = insertPrices(tx, judged);
    written.catch(() => undefined);
    judged = { votes: [], prices: [] };
  }
  await written;
  // First, for it holds back whoever else is about to write newest prices: of other months, and yet of the same products.
  await bumpDataVersion(tx, 'market');
  await refreshLatest(tx, days);
  await refreshPresence(tx, days);
}

/** Days with what was offered on them. The next day is asked for before this one is judged: neither side waits for the other. */
async function* offersOf(
  tx: Transaction,
  days: readonly string[],
): AsyncGenerator<{ day: string; offers: OfferRow[] }, void> {
  const asked = (day: string | undefined): Promise<OfferRow[]> => {
    const offers = day === undefined ? Promise.resolve([]) : selectOffers(tx, day);
    // Whoever stops before this day does not hear of it.
    offers.catch(() => undefined);
    return offers;
  };
  let next = asked(days[0]);
  for (const [at, day] of days.entries()) {
    const offers = await next;
    next = asked(days[at + 1]);
    yield { day, offers };
  }
}

function judgeDay(into: Judged, day: string, votes: readonly VoteRow[]): void {
  for (const group of Map.groupBy(votes, groupOf).values()) {
    const price = judgeVotes(group);
    if (price === null) continue;
    const { product_id, price_type, country } = group[0] as VoteRow;
    into.prices.push({ day, product_id, price_type, country, ...price });
    into.votes.push(...group.map((vote) => ({ ...vote, day, outlier: price.outliers.has(vote.provider_id) })));
  }
}

const groupOf = (vote: VoteRow): string => `${vote.product_id} ${vote.price_type} ${vote.country}`;
