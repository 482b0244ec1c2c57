import { dayLines } from '../../charts/day-lines.ts';
import { chartWidths } from '../../charts/svg-parts.ts';
import { NO_DATA } from '../../contract/index-dates.ts';
import { tokenIndexRequest, type TokenIndexSpecification } from '../../contract/token-index.ts';
import type { Context } from '../../platform/context.ts';
import { isStaff } from '../../platform/actor.ts';
import { hotIndices } from '../../tokens/hot-tokens.ts';
import { listIndices, tokenIndex } from '../../tokens/token-index.ts';
import { chart } from '../components/chart.ts';
import { exampleRows } from '../components/example-rows.ts';
import { operatorLine } from '../components/copyable.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { field, select } from '../components/field.ts';
import { asked, daysAgo, filled } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { tableOf, wholeListing, type Listing, type Table } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { indexBasis, type IndexDayBasis } from '../../tokens/token-index.ts';
import { chips } from './token-views.ts';

interface IndexDay extends Omit<IndexDayBasis, 'day'> {
  date: string;
  token: string;
  unit: string;
  value: number | null;
}

/**
 * An index is an amount of money or a price relative to 100 at its start, so the heading of the values is the unit of
 * the index shown.
 */
const daysIn = (unit: string): Table<IndexDay> =>
  tableOf<IndexDay>([
    { name: 'date', label: 'Day, UTC', value: (row) => row.date },
    { name: 'token', label: 'Index', value: (row) => row.token, isHidden: true },
    {
      name: 'value',
      label: unit,
      value: (row) => row.value,
      cell: (row) => row.value?.toFixed(4) ?? 'no figure',
      isNumber: true,
    },
    { name: 'unit', label: 'Unit', value: (row) => row.unit, isHidden: true },
    {
      name: 'coverage',
      label: 'Tokens with a price',
      value: (row) => row.coverage,
      cell: (row) => (row.coverage === null ? '–' : `${(row.coverage * 100).toFixed(1)} %`),
      isNumber: true,
    },
    { name: 'models', label: 'Models', value: (row) => row.models, isNumber: true },
    { name: 'status', label: 'Standing', value: (row) => row.status },
    { name: 'reason', label: 'Why no figure', value: (row) => row.reason },
  ]);

interface IndexListing extends Listing<IndexDay> {
  chosen: TokenIndexSpecification;
  /** included in the caller's subscription terms */
  offered: readonly TokenIndexSpecification[];
}

/** The indices that the caller may read. */
async function indicesFor(context: Context): Promise<TokenIndexSpecification[]> {
  const { actor, now } = context;
  const { results } = listIndices(await hotIndices(context)(), now());
  const terms = 'standing' in actor && !isStaff(actor) ? actor.standing.terms : null;
  const includes = (allowed: readonly string[] | null | undefined, name: string): boolean =>
    allowed === null || allowed === undefined || allowed.some((one) => one.toLowerCase() === name);
  return results.filter(
    ({ token, index_version }) =>
      includes(terms?.token_index_tokens, token) && includes(terms?.token_index_versions, index_version),
  );
}

async function load({ context, query }: Visit): Promise<IndexListing> {
  const given = filled(query);
  const offered = await indicesFor(context);
  const request = asked(tokenIndexRequest, {
    token: given['token'] ?? offered[0]?.token ?? 'expenditure',
    index_version: given['index_version'] ?? 'v1',
    starting_date: given['starting_date'] ?? daysAgo(context.now(), 30),
    ending_date: given['ending_date'] ?? daysAgo(context.now(), 1),
  });
  const hot = await hotIndices(context)();
  const { token, index_version: version, ...found } = await tokenIndex(context, hot, request);
  const chosen = listIndices(hot, context.now()).results.find(
    (one) => one.token === token && one.index_version === version,
  );
  if (chosen === undefined) throw new Error(`${token} ${version} is answered and not listed`);
  const { starting_date: first, ending_date: last, indexes } = found;
  const basis = new Map((await indexBasis(context, { token, version, first, last })).map((row) => [row.day, row]));
  const rows = Object.entries(indexes).map(([date, text]): IndexDay => {
    const { coverage = null, models = 0, status = 'missing', reason = null } = basis.get(date) ?? {};
    const value = text === NO_DATA ? null : Number(text);
    return { date, token, unit: chosen.unit, value, coverage, models, status, reason };
  });
  return { ...wholeListing(rows.toSorted((a, b) => (a.date < b.date ? 1 : -1))), chosen, offered };
}

/** Days shown; the files have all of them. */
const MOST_DAYS = 100;

async function show(visit: Visit, listing: Listing<IndexDay>): Promise<Response> {
  const { rows, chosen, offered } = listing as IndexListing;
  const [to, from] = [rows[0]?.date ?? '', rows.at(-1)?.date ?? ''];
  return page(visit, {
    title: 'Token index',
    nav: 'tokens',
    facts: `${chosen.index_name}, ${chosen.unit}: ${rows.filter(({ value }) => value !== null).length} of ${rows.length} ${rows.length === 1 ? 'day has' : 'days have'} a figure`,
    body: html`${chips('/tokens/index')}${filters({ chosen, offered, from, to })}${indexChart(visit, listing as IndexListing)}
      <section>
        <h2>What it is</h2>
        <dl class="facts">
          ${offered.map(
            ({ index_name, index_version, definition, unit }) =>
              html`<dt>${index_name} ${index_version}, ${unit}</dt>
                <dd>${definition}</dd>`,
          )}
        </dl>
      </section>`,
  });
}

function filters({
  chosen,
  offered,
  from,
  to,
}: Pick<IndexListing, 'chosen' | 'offered'> & { from: string; to: string }): Content {
  const versions = [...new Set(offered.map(({ index_version }) => index_version))];
  return html`<form class="filters" method="get" action="/tokens/index" role="search" aria-label="Which index and days">
    ${select({ name: 'token', label: 'Index', value: chosen.token, options: offered.map(({ token, index_name, unit }) => ({ value: token, label: `${index_name}, ${unit}` })) })}
    ${select({ name: 'index_version', label: 'Version', value: chosen.index_version, options: versions.map((value) => ({ value, label: value })) })}
    ${field({ name: 'starting_date', label: 'From', type: 'date', value: from })}${field({ name: 'ending_date', label: 'To', type: 'date', value: to })}
    <div class="acts"><button class="main">Show</button></div>
  </form>`;
}

function indexChart(visit: Visit, listing: IndexListing): Content {
  const { chosen, rows } = listing;
  const { unit, index_name: name } = chosen;
  const points = rows.flatMap(({ date, value, models }) => (value === null ? [] : [{ day: date, value, models }]));
  const [last] = points;
  if (last === undefined) return nothing(chosen);
  const [to, from] = [rows[0]?.date ?? '', rows.at(-1)?.date ?? ''];
  const svg = (width: number): string => dayLines([{ name: 'index', points }], { unit, width, from, to });
  return chart({
    title: `${name} on ${last.day}: ${last.value.toFixed(4)}, ${unit}, n ${last.models} ${last.models === 1 ? 'model' : 'models'}`,
    svg: { wide: svg(chartWidths.wide), narrow: svg(chartWidths.narrow) },
    caption: 'A day without usage or prices has no figure and is left empty.',
    table: dataTable(visit, {
      caption: `${name} by day, newest first`,
      table: daysIn(unit),
      listing,
      most: MOST_DAYS,
      shape: 'scroll',
      ifEmpty: null,
    }),
  });
}

const nothing = ({ index_name, first_day, last_day }: TokenIndexSpecification): Content =>
  empty(
    'No day of this range has a figure.',
    first_day === null
      ? `${index_name} has no figure yet; the operator reads prices and usage first:`
      : `${index_name}: choose days of ${first_day} to ${last_day ?? ''}.`,
    first_day === null
      ? operatorLine(
          'ingest openrouter-models && node_modules/.bin/node coordinator/main.ts ingest openrouter-rankings',
        )
      : undefined,
  );

const anyUnit = daysIn('Value');
const example = { token: 'expenditure', unit: 'USD per million paid tokens', models: 0, status: 'missing' };

export const tokenIndexPages: readonly PageRoute[] = list(
  '/tokens/index',
  {
    who: 'member',
    product: 'token-index',
    holds: 'What a million tokens of language models cost by day',
    example: exampleRows(daysIn(example.unit), [
      { ...example, date: '2000-01-02', value: 1, coverage: 0.99, models: 100, status: 'frozen', reason: null },
      { ...example, date: '2000-01-01', value: null, coverage: null, reason: 'no usage was read' },
    ]),
  },
  { table: anyUnit, load, show },
);
