import { dayLines } from '../../charts/day-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { NO_DATA } from '../../contract/index-dates.ts';
import { tokenIndexRequest } from '../../contract/token-index.ts';
import { hotIndices } from '../../tokens/hot-tokens.ts';
import { listIndices, tokenIndex } from '../../tokens/token-index.ts';
import { chart } from '../components/chart.ts';
import { exampleRows } from '../components/example-rows.ts';
import { operatorLine } from '../components/command.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/empty.ts';
import { field } from '../components/field.ts';
import { asked, daysAgo, filled } from '../frame/asked.ts';
import { html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { chips } from './token-views.ts';

interface IndexDayRow {
  date: string;
  value: number | null;
}
const indexDays = tableOf<IndexDayRow>([
  { name: 'date', label: 'Day, UTC', value: (row) => row.date },
  {
    name: 'value',
    label: 'USD per million paid tokens',
    value: (row) => row.value,
    cell: (row) => row.value?.toFixed(4) ?? 'no figure',
    isNumber: true,
  },
]);

async function loadIndex({ context, query }: Visit): Promise<Listing<IndexDayRow>> {
  const given = filled(query);
  const request = asked(tokenIndexRequest, {
    token: given['token'] ?? 'expenditure',
    index_version: given['index_version'] ?? 'v1',
    starting_date: given['starting_date'] ?? daysAgo(context.now(), 30),
    ending_date: given['ending_date'] ?? daysAgo(context.now(), 1),
  });
  const { indexes } = await tokenIndex(context, await hotIndices(context)(), request);
  const rows = Object.entries(indexes).map(([date, value]) => ({
    date,
    value: value === NO_DATA ? null : Number(value),
  }));
  const newest = rows.toSorted((a, b) => (a.date < b.date ? 1 : -1));
  return { rows: newest, total: rows.length, page: 1, perPage: Math.max(rows.length, 1) };
}

async function showIndex(visit: Visit, listing: Listing<IndexDayRow>): Promise<Response> {
  const { results } = listIndices(await hotIndices(visit.context)(), visit.context.now());
  const points = listing.rows.flatMap(({ date, value }) => (value === null ? [] : [{ day: date, value }]));
  const [to, from] = [listing.rows[0]?.date ?? '', listing.rows.at(-1)?.date ?? ''];
  const svg = (width: number): string =>
    dayLines([{ name: 'index', points }], { unit: 'USD per million paid tokens', width, from, to });
  const [last] = points;
  const table = dataTable(visit, { caption: 'Index by day, newest first', table: indexDays, listing, ifEmpty: null });
  return page(visit, {
    title: 'Token index',
    nav: 'tokens',
    facts: `${points.length} of ${listing.rows.length} days have a figure`,
    body: html`${chips('/tokens/index')}
      <form class="filters" method="get" action="/tokens/index" role="search" aria-label="Which days">
        ${field({ name: 'starting_date', label: 'From', type: 'date', value: from })}${field({ name: 'ending_date', label: 'To', type: 'date', value: to })}
        <div class="acts"><button class="main">Show</button></div>
      </form>
      ${
        last === undefined
          ? empty(
              'No day of this range has a figure.',
              results.map(
                ({ index_name, first_day, last_day }) =>
                  html`${index_name}:
                  ${first_day === null ? 'no figure yet; the operator reads prices and usage first:' : `choose days of ${first_day} to ${last_day ?? ''}.`} `,
              ),
              results.some(({ first_day }) => first_day === null)
                ? operatorLine(
                    'ingest openrouter-models && node_modules/.bin/node coordinator/main.ts ingest openrouter-rankings',
                  )
                : undefined,
            )
          : chart({
              title: `${last.value.toFixed(4)} USD per million paid tokens on ${last.day}`,
              svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
              caption: 'A day without usage or prices has no figure and is left empty.',
              table,
            })
      }
      <section>
        <h2>What it is</h2>
        <dl class="facts">
          ${results.map(
            ({ index_name, definition, unit }) =>
              html`<dt>${index_name}, ${unit}</dt>
                <dd>${definition}</dd>`,
          )}
        </dl>
      </section>`,
  });
}

export const tokenIndexPages: readonly PageRoute[] = [
  ...list(
    '/tokens/index',
    {
      who: 'member',
      product: 'token-index',
      holds: 'What a million tokens of language models cost by day',
      example: exampleRows(indexDays, [
        { date: '2000-01-02', value: 1 },
        { date: '2000-01-01', value: null },
      ]),
    },
    {
      table: indexDays,
      load: loadIndex,
      show: showIndex,
    },
  ),
];
