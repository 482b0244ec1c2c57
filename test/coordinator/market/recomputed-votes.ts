/*
 * Which votes count, by the rules as the README of the market states them, with nothing of the product.
 */
export const marketplaces = new Set(['Vast.ai', 'SF Compute']);
export const DAY = 86_400_000;

const sorted = (values: number[]): number[] => values.toSorted((a, b) => a - b);
export function middleOf(values: number[]): number {
  const [all, half] = [sorted(values), values.length >> 1];
  return all.length % 2 === 1 ? (all[half] as number) : ((all[half - 1] as number) + (all[half] as number)) / 2;
}
function spreadOf(values: number[]): { middle: number; deviation: number } {
  const logs = values.map(Math.log);
  const middle = middleOf(logs);
  return { middle, deviation: 1.4826 * middleOf(logs.map((value) => Math.abs(value - middle))) };
}
const far = (a: number, b: number): number => Math.abs(Math.log(a) - Math.log(b));

export interface Vote {
  provider: string;
  price: number;
  why: string | null;
  /** what it was held against */
  level: number | null;
  /** votes that this is the median of, on the day that it was made */
  levelDays: number | null;
}

export interface Asked {
  day: string;
  provider: string;
  /** its vote */
  price: number;
}

/** Day by day: who counts. */
export function judge(asked: readonly Asked[], low: number, high: number): Map<string, Vote[]> {
  const days = new Map<string, Vote[]>();
  for (const day of [...new Set(asked.map((one) => one.day))].toSorted()) {
    const since = new Date(Date.parse(day) - 30 * DAY).toISOString().slice(0, 10);
    const before = [...days].filter(([past]) => past >= since);
    const today = asked
      .filter((one) => one.day === day)
      .map(({ provider, price }) => {
        const own = before.flatMap(([, votes]) => votes.filter((vote) => vote.provider === provider));
        const counted = own.filter(({ why }) => why === null).map((vote) => vote.price);
        const last = own.at(-1) ?? null;
        const least = Math.log(marketplaces.has(provider) ? 2.5 : 1.5);
        let level: number | null = null;
        let levelDays: number | null = null;
        let most = least;
        let isShort = false;
        if (counted.length > 0) {
          const { middle, deviation } = spreadOf(counted);
          level = Math.exp(middle);
          levelDays = counted.length;
          isShort = counted.length < 3;
          if (counted.length >= 5) most = Math.max(least, 4 * deviation);
        }
        if (counted.length < 3 && last?.why === 'own-history') {
          level = last.level;
          levelDays = last.levelDays;
          most = least;
          isShort = false;
        }
        return { provider, price, last, level, levelDays, most, isShort };
      });
    const inBand = ({ price }: { price: number }): boolean => price >= low && price <= high;
    const plain = today.filter(
      (vote) => inBand(vote) && (vote.level === null || vote.isShort || far(vote.price, vote.level) <= vote.most),
    );
    const others = plain.length >= 3 ? spreadOf(plain.map(({ price }) => price)) : null;
    days.set(
      day,
      today.map((vote): Vote => {
        const { provider, price, last, level, levelDays, most, isShort } = vote;
        const peers = plain.filter((other) => other.provider !== provider).map((other) => other.price);
        const isNearer =
          peers.length < 2 ? isShort : level !== null && far(price, middleOf(peers)) < far(level, middleOf(peers));
        let why: string | null = null;
        if (!inBand(vote)) why = 'band';
        else if (level !== null && far(price, level) > most && !isNearer) why = 'own-history';
        else if (others !== null) {
          if (Math.abs(Math.log(price) - others.middle) > Math.max(Math.log(3.5), 3 * others.deviation)) why = 'others';
        } else if (last?.why === 'others' && far(price, last.price) <= Math.log(1.5)) why = 'others';
        return { provider, price, why, level, levelDays };
      }),
    );
  }
  return days;
}
