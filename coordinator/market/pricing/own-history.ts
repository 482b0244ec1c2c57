import type { JudgedVote, VoteRow } from '../queries/votes.ts';
import { carriedLevel, ownLevelOf, type OwnLevel } from './screen-votes.ts';

const DAY_MS = 86_400_000;
/** Days of a provider's votes that its next one is held against. */
export const HISTORY_DAYS = 30;

type PastVote = Pick<
  JudgedVote,
  'product_id' | 'price_type' | 'country' | 'provider_id' | 'day' | 'price' | 'screened_by' | 'own_level'
>;

/**
 * What providers asked over the last 30 days, day by day as it is priced. A level is made of counted votes only; while a
 * provider's votes are kept out, the level that kept them out stands, so that a price does not become the measure by being
 * repeated. After 30 days without any vote a provider begins anew.
 */
export class OwnHistory {
  readonly #past = new Map<string, PastVote[]>();

  add(vote: PastVote): void {
    const key = keyOf(vote);
    const known = this.#past.get(key);
    if (known) known.push(vote);
    else this.#past.set(key, [vote]);
  }

  /** What a vote of `day` is held against, and the vote before it. */
  before(day: string, vote: VoteRow, isVolatile: boolean): { own: OwnLevel | null; last: PastVote | null } {
    const all = this.#past.get(keyOf(vote)) ?? [];
    const first = dayNumber(day) - HISTORY_DAYS;
    while (all.length > 0 && dayNumber((all[0] as PastVote).day) < first) all.shift();
    const last = all.at(-1) ?? null;
    const counted = all.filter(({ screened_by }) => screened_by === null).map(({ price }) => price);
    const level = counted.length > 0 ? ownLevelOf(counted, isVolatile) : null;
    const wasKeptOut = last?.screened_by === 'own-history' && last.own_level !== null;
    if (wasKeptOut && level?.isShort !== false)
      return { own: carriedLevel(last.own_level as number, isVolatile), last };
    return { own: level, last };
  }
}

const keyOf = ({
  provider_id,
  product_id,
  price_type,
  country,
}: Omit<PastVote, 'day' | 'price' | 'screened_by' | 'own_level'>): string =>
  `${provider_id} ${product_id} ${price_type} ${country}`;

const dayNumber = (day: string): number => Date.parse(day) / DAY_MS;
