import type { ObservedPriceType } from '../../contract/price-type.ts';

const months: [words: string[], type: ObservedPriceType][] = [
  [['1m', '1_month', 'monthly'], 1],
  [['3m', '3_month', '3_months'], 3],
  [['6m', '6_month', '6_months'], 6],
  [['12m', '12_months', '1y', '1_year', '1yr'], 12],
  [['24m', '24_months', '2y', '2_years', '2yr'], 24],
  [['36m', '36_months', '3y', '3_years', '3yr'], 36],
];

/** Words and numbers for rental terms, as price tables write them. */
const terms = new Map<string, ObservedPriceType>([
  ['-1', -1],
  ['spot', -1],
  ['preemptible', -1],
  ['interruptible', -1],
  ['0', 0],
  ['on_demand', 0],
  ['ondemand', 0],
  ...['1', '3', '6', '12', '24', '36'].map((number): [string, ObservedPriceType] => [
    number,
    Number(number) as ObservedPriceType,
  ]),
  ...months.flatMap(([words, type]) =>
    words.flatMap((word): [string, ObservedPriceType][] => [
      [word, type],
      [`reserved_${word}`, type],
    ]),
  ),
]);

/** `on_demand`, `On-Demand`, `spot`, `reserved_3m`, `12` -> price type; undefined if we have no such type. */
export const termNamed = (text: string): ObservedPriceType | undefined =>
  terms.get(text) ?? terms.get(text.toLowerCase().replace(/[\s-]+/g, '_'));
