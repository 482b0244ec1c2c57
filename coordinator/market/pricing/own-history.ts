import type { JudgedVote, VoteRow } from '../queries/votes.ts';
import { HISTORY_DAYS } from '../segments.ts';
import { carriedLevel, ownLevelOf, type OwnLevel } from './screen-votes.ts';

const DAY_MS = 86_400_000;

export type PastVote = Pick<
  JudgedVote,
  | ('product_id' | 'price_type' | 'country' | 'provider_id' | 'day' | 'price' | 'cards' | 'source')
  | ('screened_by' | 'own_level' | 'own_days')
>;

/** The votes of one provider, product, term and country, and the logarithms of the counted ones, in ascending order. */
class Past {
  readonly votes: { vote: PastVote; at: number }[] = [];
  readonly counted: number[] = [];

  add(vote: PastVote, at: number): void {
    this.votes.push({ vote, at });
    if (vote.screened_by === null) {
      const log = Math.log(vote.price);
      this.counted.splice(placeOf(this.counted, log), 0, log);
    }
  }

  forgetBefore(at: number): void {
    while (this.votes.length > 0 && (this.votes[0] as { at: number }).at < at) {
      const { vote } = this.votes.shift() as { vote: PastVote };
      if (vote.screened_by === null) this.counted.splice(placeOf(this.counted, Math.log(vote.price)), 1);
    }
  }
}

/** Index of the first of the ascending values that is not below this one. */
function placeOf(ascending: readonly number[], value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The providers' votes of the last 30 days, extended as each day is priced. A level is computed from counted votes
 * only; while a provider's votes are screened out by its level and too few others are left, that level stays in force,
 * so that a price does not become the standard by being repeated. After 30 days without a vote a provider starts anew.
 * Queried for every vote of a market, so the logarithms are kept sorted.
 */
export class OwnHistory {
  readonly #past = new Map<string, Past>();
  #day = '';
  #number = 0;

  add(vote: PastVote): void {
    const key = keyOf(vote);
    let known = this.#past.get(key);
    if (known === undefined) this.#past.set(key, (known = new Past()));
    known.add(vote, this.#numberOf(vote.day));
  }

  /** The provider's level that a vote of `day` is compared with, and its previous vote. */
  before(day: string, vote: VoteRow, isVolatile: boolean): { own: OwnLevel | null; last: PastVote | null } {
    const past = this.#until(day, vote);
    const last = past?.votes.at(-1)?.vote ?? null;
    const counted = past?.counted ?? [];
    const level = counted.length > 0 ? ownLevelOf(counted, isVolatile) : null;
    const wasKeptOut = (last?.screened_by === 'own-history' || last?.screened_by === 'unit') && last.own_level !== null;
    if (wasKeptOut && level?.isShort !== false)
      return { own: carriedLevel(last.own_level as number, last.own_days, isVolatile), last };
    return { own: level, last };
  }

  /** The provider's previous vote, within 30 days of `day`. */
  last(day: string, vote: VoteRow): PastVote | null {
    return this.#until(day, vote)?.votes.at(-1)?.vote ?? null;
  }

  #until(day: string, vote: VoteRow): Past | undefined {
    const past = this.#past.get(keyOf(vote));
    past?.forgetBefore(this.#numberOf(day) - HISTORY_DAYS);
    return past;
  }

  #numberOf(day: string): number {
    if (day !== this.#day) [this.#day, this.#number] = [day, Date.parse(day) / DAY_MS];
    return this.#number;
  }
}

const keyOf = ({
  provider_id,
  product_id,
  price_type,
  country,
}: Pick<PastVote, 'provider_id' | 'product_id' | 'price_type' | 'country'>): string =>
  `${provider_id} ${product_id} ${price_type} ${country}`;
