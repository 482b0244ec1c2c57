import type { Transaction } from '../../platform/db/client.ts';
import { linearMedian } from '../../figures/statistics.ts';
import { selectReadingsBeside, selectResellers } from '../queries/pricing.ts';
import { selectOffers, type OfferRow } from '../queries/offers.ts';
import { type Offer, offerKey } from './standard-offers.ts';
import { storable } from '../../platform/readings/storable.ts';
import type { Observation, Priced } from '../observation.ts';

const BYTES = Float64Array.BYTES_PER_ELEMENT;

/**
 * Yields each day with its offers. The next day is queried while this one is judged, so that neither side waits for the
 * other. Offers of the reading that is being stored (`arrived`) are not read back; the table is queried only for those
 * of other readings, if any has that day.
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
    // Avoids an unhandled rejection if the caller stops before this day.
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

/** An offer that is read several times a day counts once, with the median of its readings. */
export function offerOf({ prices, ...row }: OfferRow): Offer {
  const readings = pricesIn(prices);
  const price = readings.length === 1 ? (readings[0] as number) : linearMedian(readings);
  return { ...row, price, observations: readings.length };
}

/** Postgres sends big-endian values; converts them to the little-endian order of this machine. */
function pricesIn(sent: Buffer): Float64Array {
  const prices = new Float64Array(sent.length / BYTES);
  const bytes = Buffer.from(prices.buffer);
  sent.copy(bytes);
  bytes.swap64();
  return prices;
}

/** Limits of what is held, about 300 MB; days beyond them are read back from the table. */
const MOST = { readings: 4_000_000, offers: 600_000 };
const ANY_COUNTRY = 'ZZ';

/** Offers of the reading that is being stored; `indexed` resolves once the table can be queried for it by time. */
export interface Arrived {
  held: HeldOffers;
  indexed: Promise<void>;
}

/**
 * Collects the offers of a reading as it streams by, so that its days need not be read back: what `selectOffers` would
 * return for this reading alone.
 */
export class HeldOffers {
  readonly #runId: string;
  readonly #source: string;
  /** null: the day's rows were not contiguous, or there were too many */
  readonly #days = new Map<string, Offer[] | null>();
  #offers = 0;
  #time: Date | null = null;
  #day = '';
  #readings = 0;
  #prices = new Map<Priced, number[]>();

  constructor(of: { runId: string; source: string }) {
    this.#runId = of.runId;
    this.#source = of.source;
  }

  get runId(): string {
    return this.#runId;
  }

  add({ priced, price, observedAt }: Observation): void {
    if (observedAt !== this.#time) {
      this.#time = observedAt;
      const day = observedAt.toISOString().slice(0, 10);
      if (day !== this.#day) this.#begin(day);
    }
    const prices = this.#prices.get(priced);
    if (prices) prices.push(price);
    else this.#prices.set(priced, [price]);
    this.#readings += 1;
    if (this.#readings > MOST.readings) this.#prices.clear();
  }

  /** Offers of the day, including those of resellers; null if the table must be queried. */
  of(day: string): Offer[] | null {
    this.#end();
    return this.#days.get(day) ?? null;
  }

  #begin(day: string): void {
    this.#end();
    this.#day = day;
    // The day had already ended: its earlier rows and these belong together, so the table must be queried.
    if (this.#days.has(day)) this.#days.set(day, null);
  }

  #end(): void {
    if (this.#day === '') return;
    const tooMany = this.#readings > MOST.readings || this.#offers > MOST.offers;
    const offers = tooMany || this.#days.has(this.#day) ? null : this.#offersOf(this.#day);
    this.#days.set(this.#day, offers);
    this.#offers += offers?.length ?? 0;
    this.#prices = new Map();
    [this.#day, this.#readings] = ['', 0];
    this.#time = null;
  }

  #offersOf(day: string): Offer[] {
    const readings = new Map<string, { offer: Offer; prices: number[] }>();
    for (const [priced, prices] of this.#prices) {
      if (priced.doubt !== null) continue;
      const offer = this.#offerOf(priced, day);
      const key = offerKey(offer);
      const known = readings.get(key);
      if (known) known.prices.push(...prices);
      else readings.set(key, { offer, prices });
    }
    return [...readings.values()].map(({ offer, prices }) => ({
      ...offer,
      price: linearMedian(prices),
      observations: prices.length,
    }));
  }

  #offerOf(priced: Priced, day: string): Offer {
    const cards = asReal(priced.gpuCount);
    return {
      product_id: priced.productId,
      price_type: priced.priceType,
      country: priced.country ?? ANY_COUNTRY,
      provider_id: priced.providerId,
      segment: priced.segment ?? (cards < 1 ? 'fraction' : ''),
      gpu_count: cards,
      sized: priced.sized,
      cluster_size: priced.clusterSize,
      region: asStored(priced.region),
      offer: asStored(priced.offer),
      run_id: this.#runId,
      source: this.#source,
      price: 0,
      observations: 0,
      quoted: day,
    };
  }
}

const asStored = (text: string | null): string | null => (text === null ? null : storable(text));

/** The number that Postgres returns for a four-byte `real`: the shortest decimal that rounds to the same four bytes. */
export function asReal(value: number): number {
  if (Number.isInteger(value) && value < 2 ** 24) return value;
  const kept = Math.fround(value);
  for (let digits = 6; digits <= 9; digits += 1) {
    const short = Number(kept.toPrecision(digits));
    if (Math.fround(short) === kept) return short;
  }
  return kept;
}
