import { Command } from 'commander';
import { z } from 'zod';
import {
  ASKED_AFTER,
  type ChangedProvider,
  type DayReport,
  FALLEN,
  MOST_TIMES,
  type PriceMove,
  reportDay,
  type ScreenedVote,
  type SourceCoverage,
} from '../market/report-day.ts';
import { screens } from '../market/segments.ts';
import { placeOf, termOf } from './describe-explanation.ts';
import type { Edges } from './edges.ts';
import { table } from './text-table.ts';
import { withMarket } from './open-platform.ts';

/** `ingest report <day>` */
export const dayReportCommand = (edges: Edges): Command =>
  new Command('report')
    .description('Sources read of a day against their last, votes not counted, prices that jumped')
    .argument('<day>', 'YYYY-MM-DD')
    .action(async (on: string) => {
      const day = z.iso.date().safeParse(on).data;
      if (day === undefined) throw new Error('The day must be YYYY-MM-DD.');
      await withMarket(edges, async (context) => {
        edges.stdout.write(describeDayReport(await reportDay(context, day)));
      });
    });

const usd = (price: number): string => price.toFixed(4);
const timesOf = (price: number, other: number | null): string =>
  other === null ? '' : `${(price / other).toFixed(2)} times`;

/** A day's sources, uncounted votes, providers that joined or left, and price moves. */
function describeDayReport({ day, sources, screened, joined, left, moves }: DayReport): string {
  const read = sources.filter(({ now }) => now !== null).length;
  if (sources.length === 0) return `${day}: nothing was observed, nor in the 31 days before\n`;
  const asked = screened.filter(({ readings }) => readings >= ASKED_AFTER);
  return [
    `${day}: ${read} of ${sources.length} sources read\n`,
    'sources, and in brackets their newest day before',
    table(['source', 'rows', 'products', 'providers', 'day before'], sources.map(coverage)),
    ...section(screened, 'no vote was screened out', 'votes that are kept and not counted', screenedTable),
    ...(asked.length === 0
      ? []
      : [`outside for ${ASKED_AFTER} readings or more: are these prices right?`, questions(asked)]),
    ...section(joined, 'no provider is new', 'new providers', providerTable),
    ...section(left, 'no provider is missing', 'voted the day before and do not now', providerTable),
    ...section(
      moves,
      `no price moved by more than ${MOST_TIMES} times`,
      `prices over all countries that moved by more than ${MOST_TIMES} times since the day before`,
      moveTable,
    ),
  ].join('\n');
}

const section = <T>(rows: readonly T[], none: string, title: string, show: (rows: readonly T[]) => string): string[] =>
  rows.length === 0 ? [`${none}\n`] : [title, show(rows)];

const screenedTable = (rows: readonly ScreenedVote[]): string =>
  table(
    ['product', 'term', 'country', 'provider', 'vote', 'readings', 'why'],
    rows.map((vote) => [
      vote.slug,
      termOf(vote.price_type),
      placeOf(vote.country),
      vote.provider,
      usd(vote.price),
      String(vote.readings),
      reasonOf(vote),
    ]),
  );

function reasonOf({ screened_by, price, own_level, price_median }: ScreenedVote): string {
  const measure = screened_by === 'others' ? price_median : (own_level ?? price_median);
  const against = measure === null ? '' : ` (${timesOf(price, measure)} ${usd(measure)})`;
  return `${screens[screened_by]}${against}${unitOf(price, own_level ?? price_median)}`;
}

/** Usual numbers of accelerators per machine; a factor within `NEAR` of one of them matches it. */
const sizes = [2, 4, 8, 16];
const partNames: Record<number, string> = { 2: 'half', 4: 'a quarter', 8: 'an eighth', 16: 'a sixteenth' };
const NEAR = 0.03;

/** A factor equal to a machine size usually means that a machine's price was taken for a card's, or the reverse. */
function unitOf(price: number, usual: number | null): string {
  if (usual === null) return '';
  const is = (ratio: number, size: number): boolean => Math.abs(ratio / size - 1) < NEAR;
  const more = sizes.find((size) => is(price / usual, size));
  if (more !== undefined) return `; ${more} times: the price of a machine of ${more}?`;
  const less = sizes.find((size) => is(usual / price, size));
  return less === undefined ? '' : `; ${partNames[less]}: divided by ${less} once too often?`;
}

const questions = (rows: readonly ScreenedVote[]): string =>
  `${rows
    .map(
      ({ provider, slug, price_type }) =>
        `  if so: coordinator ingest accept ${provider} ${slug} --type ${price_type} --from DAY --reason WHY`,
    )
    .join('\n')}\n`;

const providerTable = (rows: readonly ChangedProvider[]): string =>
  table(
    ['product', 'term', 'provider', 'vote', 'of the median'],
    rows.map(({ slug, price_type, provider, price, price_median }) => [
      slug,
      termOf(price_type),
      provider,
      usd(price),
      timesOf(price, price_median),
    ]),
  );

const moveTable = (moves: readonly PriceMove[]): string =>
  table(
    ['product', 'term', 'before', 'now', 'providers', 'move'],
    moves.map(({ slug, price_type, before, after, providers_before, providers_after }) => [
      slug,
      termOf(price_type),
      usd(before),
      usd(after),
      `${providers_before} -> ${providers_after}`,
      timesOf(after, before),
    ]),
  );

function coverage({ source, now, last }: SourceCoverage): string[] {
  const figure = (key: 'rows' | 'products' | 'providers'): string =>
    `${now?.[key] ?? 0}${last === null ? '' : ` (${last[key]})`}`;
  const hasFallen = now !== null && last !== null && now.rows < FALLEN * last.rows;
  const note =
    now === null
      ? `${last?.day ?? ''}, not read`
      : last === null
        ? 'none in 31 days'
        : `${last.day}${hasFallen ? `, rows down ${Math.round(100 * (1 - now.rows / last.rows))} %` : ''}`;
  return [source, figure('rows'), figure('products'), figure('providers'), note];
}
