import { coverageByProvider, scoreOf, type Judged, type Score } from '../prediction/model/backtest.ts';
import { LEAST_JUDGED } from '../prediction/model/train-model.ts';
import type { Backtest } from '../prediction/run-backtest.ts';
import { table } from './text-table.ts';

const NEAR = 1.1;
/** The archives of neoclouds begin here; before that there are only hand-edited tables. */
const RECENT = '2025-09';

/** Both back-tests as plain-text tables with explanations. */
export function describeBacktest({ first, last, judged, lastDays }: Backtest, days: number): string {
  if (judged.length === 0)
    return `${first} to ${last}: no product is sold by four others on the same terms; there is nothing to judge.\n`;
  const byType = groups(judged, typeOf);
  const cells = groups(judged, ({ product, price_type }) => `${product}, ${nameOf(price_type)}`);
  const judgedTypes = new Set(byType.filter(([, of]) => scoreOf(of).providers >= LEAST_JUDGED).map(([name]) => name));
  const ofJudged = cells.filter(([, of]) => judgedTypes.has(typeOf(of[0] as Judged)));
  const standing = ofJudged.map(([name, of]): [string, Score] => [name, scoreOf(of)]);
  const beats = standing.filter(([, score]) => score.median_ape < bestOf(score));
  const near = standing.filter(([, score]) => score.median_ape <= NEAR * bestOf(score));
  const loses = standing.filter(([, score]) => score.median_ape >= bestOf(score));
  const few = byType.filter(([name]) => !judgedTypes.has(name)).map(([name]) => name);
  return [
    `Leave one provider out, month by month, ${first} to ${last}: votes of products that four others sell on the same terms.`,
    'Errors are shares of the price. Baselines are of the other providers too: the median of the product, the latest median of the kind of',
    'provider, the last day’s value carried forward. Coverage: share of prices in their interval; by provider, the mean of the',
    'providers’ shares, which is what an interval promises of a provider that nobody has seen.',
    '',
    table(HEAD, [
      lineOf('all', judged),
      lineOf(
        `since ${RECENT}`,
        judged.filter(({ day }) => day >= RECENT),
      ),
      ...byType.map(([name, of]) => lineOf(name, of)),
    ]),
    'by chip:',
    table(
      HEAD,
      groups(judged, ({ chip, price_type }) => `${chip}, ${nameOf(price_type)}`).map(([name, of]) => lineOf(name, of)),
    ),
    'by product and price type:',
    table(
      HEAD,
      cells.map(([name, of]) => lineOf(name, of)),
    ),
    ...(few.length > 0 ? [`Fewer than ${LEAST_JUDGED} providers, shown and not judged: ${few.join(', ')}.`] : []),
    `Of ${standing.length} cells that are judged ${beats.length} beat all three baselines, and ${near.length} are within ${NEAR} of the best of them.`,
    `Those that do not: ${loses.length === 0 ? 'none' : loses.map(([name, score]) => `${name} (${percent(score.median_ape)} against ${percent(bestOf(score))})`).join('; ')}.`,
    '',
    lastDays === null
      ? `Last ${days} days out: no offer had a price before them.`
      : `Last ${days} days out: ${lastDays.votes} votes of ${lastDays.providers} providers; MAPE ${percent(lastDays.mape)}, median APE ${percent(lastDays.median_ape)}; the provider’s own last value ${percent(lastDays.own_last_value)}, which a model of the market does not know of a new provider; coverage ${lastDays.coverage.map(share).join(', ')}.`,
    '',
  ].join('\n');
}

const HEAD = [
  'what',
  'votes',
  'providers',
  'MAPE',
  'median APE',
  'product median',
  'latest of kind',
  'last value',
  'in 50 %',
  'in 80 %',
  'in 95 %',
  '80 %, by provider',
];

function lineOf(name: string, judged: readonly Judged[]): string[] {
  if (judged.length === 0) return [name, '0'];
  const { votes, providers, mape, median_ape, baselines, coverage } = scoreOf(judged);
  return [
    name,
    String(votes),
    String(providers),
    percent(mape),
    percent(median_ape),
    percent(baselines.product_median),
    percent(baselines.latest_of_kind),
    percent(baselines.last_value),
    ...coverage.map(share),
    share(coverageByProvider(judged)),
  ];
}

const groups = (judged: readonly Judged[], keyOf: (one: Judged) => string): [string, Judged[]][] =>
  [...Map.groupBy(judged, keyOf)].toSorted(([a], [b]) => (a < b ? -1 : 1));
const nameOf = (type: number): string => (type === 0 ? 'on demand' : 'spot');
const typeOf = ({ price_type }: Judged): string => nameOf(price_type);
const bestOf = ({ baselines }: Score): number => Math.min(...Object.values(baselines));
const percent = (value: number): string => `${(100 * value).toFixed(1)} %`;
const share = (value: number | null): string => (value === null ? 'none' : percent(value));
