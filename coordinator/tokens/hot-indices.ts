import { hotAnswers, type HotAnswers, hotCopy } from '../platform/hot-copy.ts';
import { selectPublished } from './queries/index-days.ts';

/** Every published figure, in memory until an ingestion changes one: six indices of some hundred days. */
export interface HotIndices {
  /** by `token version`, then by day in order; four decimals */
  values: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** what was answered out of this before */
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
