import { linearMedian } from '../../figures/statistics.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { type Arrived, offerOf } from '../pricing/offers-of-days.ts';
import type { Offer } from '../pricing/standard-offers.ts';
import { describeBreak, unitBreak, type Move, type UnitBreak } from '../pricing/unit-breaks.ts';
import { selectNearestRunDay } from '../queries/runs.ts';
import { selectOffers } from '../queries/offers.ts';

/** Most prices of a source changed by one factor, from what it had before (`since`) to this day. */
export interface UnitChange {
  day: string;
  since: string;
  change: UnitBreak;
}

interface Read {
  source: string;
  runId: string;
  /** of the reading, ascending */
  days: readonly string[];
  arrived: Arrived;
  /** days on which, by the operator, the unit did change */
  known: ReadonlySet<string>;
}

/**
 * The first day on which most prices of a source move by a factor that another unit would explain: within the reading,
 * from the source's nearest stored day before it and to the nearest one after it. Null if there is none. Call once the run
 * is inserted.
 */
export async function findUnitChange(tx: Transaction, read: Read): Promise<UnitChange | null> {
  const { days, known } = read;
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return null;
  const prices = new SourcePrices();
  for await (const { day, offers } of daysAround(tx, read, { first, last })) {
    const since = prices.day;
    const change = prices.moveTo(day, offers);
    if (change !== null && since !== null && !known.has(day)) return { day, since, change };
  }
  return null;
}

async function* daysAround(
  tx: Transaction,
  { source, runId, days, arrived }: Read,
  { first, last }: { first: string; last: string },
): AsyncGenerator<{ day: string; offers: readonly Offer[] }, void> {
  const ofRun = { source, runId };
  const before = await nearestDay(tx, ofRun, { day: first, step: -1 });
  if (before !== null) yield before;
  for (const day of days) {
    const held = arrived.held.of(day);
    if (held === null) await arrived.indexed;
    yield { day, offers: held ?? (await selectOffers(tx, { day, ofSource: source, ofRun: runId })).map(offerOf) };
  }
  const after = await nearestDay(tx, ofRun, { day: last, step: 1 });
  if (after !== null) yield after;
}

const DAY_MS = 86_400_000;
/** Days of a run that later ones may have replaced: beyond them nothing is compared. */
const MOST_EMPTY_DAYS = 7;

/** Nearest day before or after `day` on which other readings of the source have prices. */
async function nearestDay(
  tx: Transaction,
  { source, runId }: Pick<Read, 'source' | 'runId'>,
  { day, step }: { day: string; step: 1 | -1 },
): Promise<{ day: string; offers: readonly Offer[] } | null> {
  const nearest = await selectNearestRunDay(tx, { source, exceptRun: runId, day, isBefore: step === -1 });
  if (nearest === null) return null;
  for (let at = 0; at < MOST_EMPTY_DAYS; at += 1) {
    const on = new Date(Date.parse(nearest) + at * step * DAY_MS).toISOString().slice(0, 10);
    const offers = (await selectOffers(tx, { day: on, ofSource: source, exceptRun: runId })).map(offerOf);
    if (offers.length > 0) return { day: on, offers };
  }
  return null;
}

type Priced = Omit<Move, 'ratio'> & { price: number };

/** What a source last asked for each of its series. */
class SourcePrices {
  readonly #known = new Map<string, Priced>();
  /** the last one with prices */
  day: string | null = null;

  /** How the prices of a day moved; they are then the known ones. */
  moveTo(day: string, offers: readonly Offer[]): UnitBreak | null {
    const moves: Move[] = [];
    for (const [key, now] of pricesOf(offers)) {
      const before = this.#known.get(key);
      if (before !== undefined) moves.push({ ...now, ratio: now.price / before.price });
      this.#known.set(key, now);
    }
    if (offers.length > 0) this.day = day;
    return unitBreak(moves);
  }
}

/** By series: the name of an offer is left out, because sources name the same machine otherwise from day to day. */
function pricesOf(offers: readonly Offer[]): Map<string, Priced> {
  return new Map(
    [...Map.groupBy(offers, seriesOf)].map(([key, all]): [string, Priced] => {
      const { product_id, provider_id, sized, gpu_count } = all[0] as Offer;
      const price = all.length === 1 ? (all[0] as Offer).price : linearMedian(all.map((offer) => offer.price));
      return [key, { product_id, provider_id, cards: sized ? gpu_count : null, price }];
    }),
  );
}

const seriesOf = (of: Offer): string =>
  `${of.provider_id} ${of.product_id} ${of.price_type} ${of.segment} ${of.sized ? of.gpu_count : ''} ${of.cluster_size} ${of.country} ${of.region ?? ''}`;

/** Why nothing of the reading is kept, and what to do about it; `meaning` is what the source's prices are from that day on. */
export function unitRefusal(source: string, { day, since, change }: UnitChange, meaning: string | null): string {
  const said =
    meaning === null
      ? 'If the prices of both days are right as they are'
      : `If ${meaning} from that day on and not before, or the prices of both days are right as they are`;
  return `most prices of ${source} seem to change their unit on ${day}: ${describeBreak(change)} compared with ${since}. Nothing of it is kept. Compare both days with what the source publishes. ${said}, add --unit-changed-on ${day}.`;
}
