import { geometricMean } from '../../figures/statistics.ts';
import type { Quote } from '../queries/votes.ts';

/** A provider's part in a day's index. */
interface Contribution {
  provider_id: number;
  price: number;
  quoted: string;
  /** price on the day that this one is linked to; null if the index begins on this day */
  priceBefore: number | null;
}

export interface IndexDay {
  value: number;
  contributions: Contribution[];
  /** the day that this one is linked to, and its value; null if the index begins here */
  linkedTo: { day: string; value: number } | null;
}

const DAY_MS = 86_400_000;
/** With fewer providers, an index would reflect those providers rather than the market. */
const LEAST_CONTRIBUTORS = 3;
/**
 * After a longer gap without three providers on both sides, the index starts anew instead of linking to its last value.
 */
const LONGEST_GAP_DAYS = 30;

interface Link {
  day: string;
  value: number;
  quotes: ReadonlyMap<number, Quote>;
}

/**
 * A chain-linked price index, USD per accelerator and hour. It begins as the geometric mean of at least three
 * providers' quotes with equal weights (at most a third each) and moves by the geometric mean of the price ratios of
 * the providers that quote on both days (Jevons' index of elementary aggregates: Consumer Price Index Manual, ILO and
 * others 2020, chapter 8): a provider that enters or leaves does not move it. A quote for a machine of another size is
 * a different offer. A day with fewer than three providers on both sides has no value; the next day that has them is
 * linked across the gap. Nor has a day with a quote whose unit is unsure. `quotes` must be in order of days; the index runs to `last`.
 */
export function chainIndex(quotes: readonly Quote[], last: string): Map<string, IndexDay> {
  const index = new Map<string, IndexDay>();
  const byDay = Map.groupBy(quotes, ({ day }) => day);
  const standing = new Map<number, Quote>();
  const [first] = quotes;
  if (first === undefined) return index;
  let link: Link | null = null;
  for (let time = Date.parse(first.day); time <= Date.parse(last); time += DAY_MS) {
    const day = new Date(time).toISOString().slice(0, 10);
    const arrived = byDay.get(day) ?? [];
    for (const quote of arrived) {
      if (quote.is_unsure) standing.delete(quote.provider_id);
      else standing.set(quote.provider_id, quote);
    }
    for (const [provider, quote] of standing)
      if (daysBetween(quote.day, day) >= quote.valid_days) standing.delete(provider);
    const value: IndexDay | null = arrived.some(({ is_unsure }) => is_unsure) ? null : valueOn(day, standing, link);
    if (value === null) continue;
    index.set(day, value);
    link = { day, value: value.value, quotes: new Map(standing) };
  }
  return index;
}

function valueOn(day: string, standing: ReadonlyMap<number, Quote>, link: Link | null): IndexDay | null {
  if (standing.size < LEAST_CONTRIBUTORS) return null;
  const matched = [...standing.values()].flatMap((quote) => {
    const before = link?.quotes.get(quote.provider_id);
    return before !== undefined && before.cards === quote.cards ? [contribution(quote, before.price)] : [];
  });
  if (link !== null && matched.length >= LEAST_CONTRIBUTORS) {
    const moved = geometricMean(matched.map(({ price, priceBefore }) => price / (priceBefore ?? price)));
    return { value: link.value * moved, contributions: matched, linkedTo: { day: link.day, value: link.value } };
  }
  if (link !== null && daysBetween(link.day, day) <= LONGEST_GAP_DAYS) return null;
  const contributions = [...standing.values()].map((quote) => contribution(quote, null));
  return { value: geometricMean(contributions.map(({ price }) => price)), contributions, linkedTo: null };
}

const contribution = ({ provider_id, price, day }: Quote, priceBefore: number | null): Contribution => ({
  provider_id,
  price,
  quoted: day,
  priceBefore,
});

const daysBetween = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;
