/** What one provider asked for a product in one month and country. */
export interface Vote {
  provider: string;
  /** Hyperscaler, Neocloud or Marketplace */
  sellers: string;
  product: string;
  chip: string;
  /** 0 on demand, -1 spot */
  price_type: number;
  /** ISO 3166-1 alpha-2, ZZ if unknown */
  country: string;
  /** accelerators of the machine; null if not stated */
  cards: number | null;
  /** YYYY-MM-DD, the newest of the month's days with a price */
  day: string;
  /** USD per accelerator and hour, the median of the month's days */
  price: number;
  /** the number of those days; absent if not counted */
  days?: number;
}

/** One vote per provider, product, price type and month; its countries share it. */
export const voteKey = ({ provider, product, price_type, day }: Vote): string =>
  `${provider}\t${product}\t${price_type}\t${day.slice(0, 7)}`;

export const WINDOW_DAYS = 365;
const DAY_MS = 86_400_000;

/** Days from `day` to `asOf`. */
export const ageOf = (day: string, asOf: string): number => (Date.parse(asOf) - Date.parse(day)) / DAY_MS;

/** Votes of the year up to a day. */
export const votesWithin = (votes: readonly Vote[], asOf: string): Vote[] =>
  votes.filter(({ day }) => day <= asOf && ageOf(day, asOf) < WINDOW_DAYS);

/** The newest day; null if there are no votes. */
export const newestDay = (votes: readonly Vote[]): string | null =>
  votes.reduce<string | null>((newest, { day }) => (newest === null || day > newest ? day : newest), null);
