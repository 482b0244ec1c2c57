import type { Transaction } from '../../platform/db/client.ts';
import { bumpDataVersion } from '../../platform/db/data-version.ts';
import { planForFreshMonths } from '../queries/observations.ts';
import {
  refreshPresence,
  insertRestatements,
  markPriced,
  selectDaysAfter,
  type Restatement,
} from '../queries/pricing.ts';
import {
  deletePrices,
  insertPrices,
  lockPrices,
  refreshLatest,
  selectJudged,
  type JudgedVote,
  type PublishedPrice,
} from '../queries/votes.ts';
import { type Arrived, offersOfDays } from './offers-of-days.ts';
import { judgeDay, type JudgedDay, type Judging } from './judge-day.ts';
import { loadJudging } from './load-judging.ts';
import { HISTORY_DAYS } from '../segments.ts';
import { votesOf, type VoteTerms } from './votes-of-offers.ts';

/** Version of the rules, raised with every change that affects prices: days of earlier versions are computed again. */
export const RULES = 3;

/** Votes that are written at once, those of a few days. */
const BATCH = 20_000;
const DAY_MS = 86_400_000;

/** Why days are recomputed; stored with the prices that changed. */
interface Cause {
  reason: 'reading' | 'undo' | 'rules' | 'ruling';
  /** the reading that caused it */
  runId: string | null;
  at: Date;
}

/**
 * Recomputes the prices of these days, which are in order, from their observations, and everything that depends on
 * them: later days too, if their votes are compared with those of these days. `arrived` holds the offers of the reading
 * that caused it, so that they need not be read back. The same observations give the same prices, in whatever order
 * they came.
 */
export async function recomputeDays(
  tx: Transaction,
  days: readonly string[],
  cause: Cause,
  arrived: Arrived | null = null,
): Promise<void> {
  const [first] = days;
  if (first === undefined) return;
  const asked = new Set(days);
  await lockPrices(tx, [...days, ...(await selectDaysAfter(tx, first))]);
  // Queried again, because the transaction that held the locks may have added days.
  const later = (await selectDaysAfter(tx, first)).filter((day) => !asked.has(day));
  await planForFreshMonths(tx);
  const pricing = new Pricing(tx, await loadJudging(tx, first));
  pricing.forget(await deletePrices(tx, days));
  let at = 0;
  for await (const { day, offers } of offersOfDays(tx, days, arrived)) {
    for (; at < later.length && (later[at] as string) < day; at += 1)
      await pricing.judgeAgain(later[at] as string, day);
    await pricing.judge(day, votesOf(offers, pricing.judging));
  }
  for (; at < later.length && pricing.reaches(later[at] as string); at += 1)
    await pricing.judgeAgain(later[at] as string, null);
  await pricing.end();
  await insertRestatements(tx, restatementsOf(pricing.published, pricing.restated), cause);
  await markPriced(tx, { days, rules: RULES, at: cause.at });
  // Before `refreshLatest`: the row lock of the version makes others that are about to write newest prices wait, since
  // prices of other months can be of the same products.
  await bumpDataVersion(tx, 'market');
  await refreshLatest(tx, pricing.changed);
  await refreshPresence(tx, days);
}

/** Turns the votes of days into prices, in order; writes a batch while the next days are judged. */
class Pricing {
  readonly judging: Judging & VoteTerms;
  /** prices of changed days as they were */
  readonly published: PublishedPrice[] = [];
  /** new prices of changed days that had prices before */
  readonly restated: PublishedPrice[] = [];
  readonly changed: string[] = [];
  readonly #tx: Transaction;
  readonly #wereKnown = new Set<string>();
  #held: JudgedDay = { votes: [], prices: [] };
  #written: Promise<void> = Promise.resolve();

  constructor(tx: Transaction, judging: Judging & VoteTerms) {
    this.#tx = tx;
    this.judging = judging;
  }

  forget(prices: readonly PublishedPrice[]): void {
    this.published.push(...prices);
    for (const { day } of prices) this.#wereKnown.add(day);
  }

  /** Whether votes of this day can depend on one that changed. */
  reaches(day: string): boolean {
    const last = this.changed.at(-1);
    return last !== undefined && Date.parse(day) - Date.parse(last) <= HISTORY_DAYS * DAY_MS;
  }

  async judge(day: string, votes: JudgedDay['votes'] | ReturnType<typeof votesOf>): Promise<void> {
    await this.#keep(day, judgeDay(day, votes, this.judging));
  }

  /**
   * Judges a day again whose own votes are unchanged, because the votes they are compared with may have changed. Skips
   * days that no change reaches.
   */
  async judgeAgain(day: string, next: string | null): Promise<void> {
    const isBeforeNext = next !== null && Date.parse(next) - Date.parse(day) <= HISTORY_DAYS * DAY_MS;
    if (!isBeforeNext && !this.reaches(day)) return;
    const before = await selectJudged(this.#tx, { first: day, last: day });
    const judged = judgeDay(day, before, this.judging);
    if (judged.votes.every((vote, at) => isJudgedAs(vote, before[at] as JudgedVote))) return;
    this.forget(await deletePrices(this.#tx, [day]));
    await this.#keep(day, judged);
  }

  async end(): Promise<void> {
    await this.#write();
    await this.#written;
  }

  async #keep(day: string, { votes, prices }: JudgedDay): Promise<void> {
    this.changed.push(day);
    if (this.#wereKnown.has(day)) this.restated.push(...prices);
    this.#held.votes.push(...votes);
    this.#held.prices.push(...prices);
    if (this.#held.votes.length >= BATCH) await this.#write();
  }

  async #write(): Promise<void> {
    await this.#written;
    this.#written = insertPrices(this.#tx, this.#held);
    this.#written.catch(() => undefined);
    this.#held = { votes: [], prices: [] };
  }
}

/** A row that an earlier version stored without `own_days` may stay: `explain` counts the votes. */
const isJudgedAs = (vote: JudgedVote, before: JudgedVote): boolean =>
  vote.screened_by === before.screened_by &&
  vote.own_level === before.own_level &&
  (before.own_days === null || vote.own_days === before.own_days);

/** Smaller relative differences come from rounding in a sum. */
const LEAST = 1e-9;

/**
 * Prices that differ from what was published: one restatement per day, product and term, with the countries in which
 * they differ.
 */
function restatementsOf(published: readonly PublishedPrice[], now: readonly PublishedPrice[]): Restatement[] {
  const prices = new Map<string, { key: PublishedPrice; before: number | null; after: number | null }>();
  for (const key of published) prices.set(keyOf(key), { key, before: key.price, after: null });
  for (const key of now) {
    const known = prices.get(keyOf(key));
    if (known) known.after = key.price;
    else prices.set(keyOf(key), { key, before: null, after: key.price });
  }
  const changed = [...prices.values()].filter(({ before, after }) => differ(before, after));
  return [...Map.groupBy(changed, ({ key }) => `${key.day} ${key.product_id} ${key.price_type}`).values()].map(
    (all) => {
      const { day, product_id, price_type } = (all[0] as (typeof all)[number]).key;
      const worldwide = prices.get(keyOf({ day, product_id, price_type, country: '', price: 0 }));
      return {
        day,
        product_id,
        price_type,
        countries: all.map(({ key }) => key.country).toSorted(),
        before: worldwide?.before ?? null,
        after: worldwide?.after ?? null,
      };
    },
  );
}

const keyOf = ({ day, product_id, price_type, country }: PublishedPrice): string =>
  `${day} ${product_id} ${price_type} ${country}`;

const differ = (before: number | null, after: number | null): boolean =>
  before === null || after === null ? before !== after : Math.abs(after - before) > LEAST * before;
