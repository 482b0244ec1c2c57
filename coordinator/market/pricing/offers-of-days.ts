import type { Transaction } from '../../platform/db/client.ts';
import { median } from '../../platform/statistics.ts';
import { selectOffers, type OfferRow } from '../queries/votes.ts';
import type { Offer } from './standard-offers.ts';

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/** Days with what was offered on them. The next day is asked for before this one is judged: neither side waits for the other. */
export async function* offersOfDays(
  tx: Transaction,
  days: readonly string[],
): AsyncGenerator<{ day: string; offers: Offer[] }, void> {
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
    yield { day, offers: offers.map(offerOf) };
  }
}

/** An offer that is read several times a day is one: its price is the median of the readings. */
export function offerOf({ prices, ...row }: OfferRow): Offer {
  const readings = pricesIn(prices);
  const price = readings.length === 1 ? (readings[0] as number) : median(readings);
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
