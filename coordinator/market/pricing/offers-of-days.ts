import type { Transaction } from '../../platform/db/client.ts';
import { linearMedian } from '../../figures/statistics.ts';
import { selectReadingsBeside, selectResellers } from '../queries/pricing-terms.ts';
import { selectOffers, type OfferRow } from '../queries/votes.ts';
import type { Arrived } from './held-offers.ts';
import type { Offer } from './standard-offers.ts';

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * Days with what was offered on them. The next day is asked for before this one is judged: neither side waits for the other.
 * What a reading has just brought (`arrived`) is not read back; the table is asked for the rest, if another reading has those days.
 */
export async function* offersOfDays(
  tx: Transaction,
  days: readonly string[],
  arrived: Arrived | null = null,
): AsyncGenerator<{ day: string; offers: Offer[] }, void> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return;
  const held = arrived?.held ?? null;
  const others = held === null ? [] : await selectReadingsBeside(tx, { first, last, runId: held.runId });
  const resellers = new Set(held === null ? [] : await selectResellers(tx));
  const askTable = async (of: { day: string; exceptRun?: string }): Promise<OfferRow[]> => {
    await arrived?.indexed;
    return selectOffers(tx, of);
  };
  const offersOf = async (day: string): Promise<Offer[]> => {
    const own = held?.of(day) ?? null;
    if (held === null || own === null) return (await askTable({ day })).map(offerOf);
    const voting = own.filter(({ provider_id }) => !resellers.has(provider_id));
    if (!others.some(({ first_day, last_day }) => first_day <= day && day <= last_day)) return voting;
    return [...(await askTable({ day, exceptRun: held.runId })).map(offerOf), ...voting];
  };
  const asked = (day: string | undefined): Promise<Offer[]> => {
    const offers = day === undefined ? Promise.resolve([]) : offersOf(day);
    // A caller that stops before this day does not hear of it.
    offers.catch(() => undefined);
    return offers;
  };
  let next = asked(first);
  for (const [at, day] of days.entries()) {
    const offers = await next;
    next = asked(days[at + 1]);
    yield { day, offers };
  }
}

/** An offer that is read several times a day is one: its price is the median of the readings. */
export function offerOf({ prices, ...row }: OfferRow): Offer {
  const readings = pricesIn(prices);
  const price = readings.length === 1 ? (readings[0] as number) : linearMedian(readings);
  return { ...row, price, observations: readings.length };
}

/** Postgres sends the highest byte first; what runs this keeps the lowest first. */
function pricesIn(sent: Buffer): Float64Array {
  const prices = new Float64Array(sent.length / BYTES);
  const bytes = Buffer.from(prices.buffer);
  sent.copy(bytes);
  bytes.swap64();
  return prices;
}
