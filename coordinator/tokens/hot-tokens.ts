import type { BookRow } from '../contract/token-prices.ts';
import { hotAnswers, type HotAnswers, hotCopy } from '../platform/hot-copy.ts';
import type { PulseFigures } from './pulse-trend.ts';
import { findNewestDays, selectBook, selectPulse } from './queries/views.ts';
import { selectPublished } from './queries/index-days.ts';

/** Days of the trend, the newest included. */
const PULSE_DAYS = 30;
const DAY_MS = 86_400_000;
/** Answers that are kept: a page of trends has up to 3000 rows, 1 MB; other pages have 100. */
const MOST_TRENDS = 30;

/** What nearly every request reads, in memory until a derivation changes it: thousands of book rows, 30 pulse rows per model. */
export interface HotTokens {
  /** null if there is no book */
  bookDay: string | null;
  /** rows of that day, ordered by developer, model and source */
  book: BookRow[];
  pulseDay: string | null;
  /** first of the pulse days in memory */
  pulseFrom: string | null;
  /** the newest day first, then by developer and model */
  pulse: PulseFigures[];
  /** of the newest day alone */
  newestPulse: PulseFigures[];
  /** answers computed from this copy, by operation and request */
  answers: HotAnswers;
  trends: HotAnswers;
}

/** Read again when a derivation has changed it. */
export const hotTokens = hotCopy<HotTokens>({
  area: 'tokens',
  reader:
    ({ sql }) =>
    async () => {
      const { book: bookDay, pulse: pulseDay } = await findNewestDays(sql);
      const pulseFrom = pulseDay === null ? null : earlier(pulseDay, PULSE_DAYS - 1);
      const [book, pulse] = await Promise.all([
        bookDay === null ? [] : selectBook(sql, bookDay),
        pulseDay === null || pulseFrom === null ? [] : selectPulse(sql, pulseFrom, pulseDay),
      ]);
      return {
        bookDay,
        book,
        pulseDay,
        pulseFrom,
        pulse,
        newestPulse: pulse.filter(({ date }) => date === pulseDay),
        answers: hotAnswers(),
        trends: hotAnswers(MOST_TRENDS),
      };
    },
});

const earlier = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

/** Every published figure, in memory until an ingestion changes one: six indices of some hundred days. */
export interface HotIndices {
  /** by `token version`, then by day in order; four decimals */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** answers computed from this copy */
  answers: HotAnswers;
}

export const hotIndices = hotCopy<HotIndices>({
  area: 'tokens',
  reader:
    ({ sql }) =>
    async () => {
      const rows = await selectPublished(sql);
      const byIndex = Map.groupBy(rows, ({ token, version }) => `${token} ${version}`);
      const values = new Map(
        [...byIndex].map(([index, ofIndex]) => [index, new Map(ofIndex.map(({ day, value }) => [day, value]))]),
      );
      return { values, answers: hotAnswers() };
    },
});
