import { sellersOfIndex, type IndexVersion } from '../contract/gpu-index.ts';
import type { Queryable } from '../platform/db/client.ts';
import { DomainError } from '../platform/errors.ts';
import { chainIndex, type IndexDay } from './pricing/chain-index.ts';
import { loadVoteTerms } from './pricing/load-judging.ts';
import { offerOf } from './pricing/offers-of-days.ts';
import { fates, offerKey, type Fate, type Offer } from './pricing/standard-offers.ts';
import { votesOf } from './pricing/votes-of-offers.ts';
import {
  selectNamedProduct,
  selectObservationsOfDay,
  selectPricesOfDay,
  selectProviderNames,
  selectVotesOfDay,
  type ExplainedDay,
  type NamedProduct,
  type ObservationOfDay,
  type VoteOfDay,
} from './queries/explain.ts';
import type { PriceRow } from './queries/prices.ts';
import { selectRestatements, type RestatementRow } from './queries/restatements.ts';
import { selectQuotes } from './queries/votes.ts';
import { selectOffers } from './queries/offers.ts';
import { doubts, screens, type Doubt, type Screen } from './segments.ts';

export type { NamedProduct };

export interface NamedIndexDay {
  version: IndexVersion;
  value: number;
  linkedTo: IndexDay['linkedTo'];
  contributions: { provider: string; price: number; quoted: string; priceBefore: number | null; weight: number }[];
}

/** Everything behind the prices of a product on a day. */
export interface Explanation {
  prices: PriceRow[];
  votes: VoteOfDay[];
  observations: { total: number; rows: (ObservationOfDay & { inVote: boolean; fate: string })[] };
  index: NamedIndexDay[];
  restatements: RestatementRow[];
}

const ON_DEMAND = 0;
const MOST_RESTATEMENTS = 100;

/** Throws `not_found`. */
export async function productToExplain(sql: Queryable, slugOrId: string): Promise<NamedProduct> {
  const found = await selectNamedProduct(sql, slugOrId);
  if (!found) throw new DomainError('not_found', `No product has the slug or id ${slugOrId}.`);
  return found;
}

/**
 * What was published, what it was computed from, and what became of each row; the fates are recomputed by the rules,
 * not stored.
 */
export async function explainPrice(
  sql: Queryable,
  asked: ExplainedDay,
  page: { limit: number; offset: number },
): Promise<Explanation> {
  const { productId, day, priceType, country } = asked;
  const hasIndex = (priceType ?? ON_DEMAND) === ON_DEMAND && (country ?? '') === '';
  const ofDay = { productId, from: day, to: day, since: null, before: null };
  const [prices, votes, observations, fate, index, restatements] = await Promise.all([
    selectPricesOfDay(sql, asked),
    selectVotesOfDay(sql, asked),
    selectObservationsOfDay(sql, asked, page),
    fatesOf(sql, productId, day),
    hasIndex ? indexOf(sql, productId, day) : [],
    selectRestatements(sql, ofDay, MOST_RESTATEMENTS),
  ]);
  return {
    prices,
    votes,
    observations: {
      total: observations.total,
      rows: observations.rows.map((row) => ({ ...row, ...withScreen(fate(row), screenOf(votes, row, country ?? '')) })),
    },
    index,
    restatements: restatements.filter(({ price_type }) => priceType === null || price_type === priceType),
  };
}

/** Why a row's vote is not counted in a scope; null if it is counted or there is no such vote. */
const screenOf = (votes: readonly VoteOfDay[], row: ObservationOfDay, country: string): Screen | null =>
  votes.find(
    (vote) =>
      vote.provider === row.provider &&
      vote.price_type === row.price_type &&
      vote.segment === row.segment &&
      vote.country === country,
  )?.screened_by ?? null;

const withScreen = <Of extends { inVote: boolean; fate: string }>(of: Of, screen: Screen | null): Of =>
  of.inVote && screen !== null ? { ...of, fate: `${of.fate}, which is not counted: ${screens[screen]}` } : of;

/** What became of each observation of a day. */
async function fatesOf(
  sql: Queryable,
  productId: number,
  day: string,
): Promise<(of: ObservationOfDay) => { inVote: boolean; fate: string }> {
  const terms = await loadVoteTerms(sql);
  const known = new Map<Offer, Fate>();
  votesOf((await selectOffers(sql, { day, productId })).map(offerOf), terms, known);
  const byKey = new Map([...known].map(([offer, fate]) => [offerKey(offer), fate]));
  return (of) => {
    if (of.doubt !== null) return { inVote: false, fate: `${fates.doubted}: ${doubts[of.doubt as Doubt] ?? of.doubt}` };
    const fate = of.reseller ? 'reseller' : byKey.get(offerKey(of));
    return { inVote: fate === 'votes', fate: fate === undefined ? '' : fates[fate] };
  };
}

/** The index of each version that has a value on the day. */
async function indexOf(sql: Queryable, productId: number, day: string): Promise<NamedIndexDay[]> {
  const days = await Promise.all(
    Object.entries(sellersOfIndex).map(async ([version, sellers]) => {
      const quotes = await selectQuotes(sql, { productId, sellers });
      return { version: version as IndexVersion, on: chainIndex(quotes, day).get(day) };
    }),
  );
  const ids = days.flatMap(({ on }) => on?.contributions.map(({ provider_id }) => provider_id) ?? []);
  const names = await selectProviderNames(sql, ids);
  return days.flatMap(({ version, on }) =>
    on === undefined
      ? []
      : [
          {
            version,
            value: on.value,
            linkedTo: on.linkedTo,
            contributions: on.contributions.map(({ provider_id, ...of }) => ({
              provider: names.get(provider_id) ?? String(provider_id),
              weight: 1 / on.contributions.length,
              ...of,
            })),
          },
        ],
  );
}
