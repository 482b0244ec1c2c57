import type { Transaction } from '../../platform/db/client.ts';
import { linearMedian } from '../../figures/statistics.ts';
import { selectReadingsBeside, selectResellers } from '../queries/pricing.ts';
import { selectOffers, type OfferRow } from '../queries/votes.ts';
import { type Offer, offerKey } from './standard-offers.ts';
import { storable } from '../../platform/readings/storable.ts';
import type { Observation, Priced } from '../observation.ts';

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

/** Beyond these the days are read from the table again: some 300 MB. */
const MOST = { readings: 4_000_000, offers: 600_000 };
const ANY_COUNTRY = 'ZZ';

/** What a reading has brought, and when the table can be asked for it by time. */
export interface Arrived {
  held: HeldOffers;
  indexed: Promise<void>;
}

/** Made while a reading goes by, so that its days need not be read back: what `selectOffers` would give of it alone. */
export class HeldOffers {
  readonly #runId: string;
  readonly #source: string;
  /** null: not all of the day's rows came one after the other, or there were too many */
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

  /** Offers of the day, those of resellers with them; null: ask the table. */
  of(day: string): Offer[] | null {
    this.#end();
    return this.#days.get(day) ?? null;
  }

  #begin(day: string): void {
    this.#end();
    this.#day = day;
    // Rows of a day that had ended: those of before and these belong together.
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

/** As Postgres gives back what it keeps in four bytes: the fewest digits that mean the same four. */
export function asReal(value: number): number {
  if (Number.isInteger(value) && value < 2 ** 24) return value;
  const kept = Math.fround(value);
  for (let digits = 6; digits <= 9; digits += 1) {
    const short = Number(kept.toPrecision(digits));
    if (Math.fround(short) === kept) return short;
  }
  return kept;
}
