import { figureColumns, gpuSpecsRequest, textColumns, type GpuSpecification } from '../../contract/catalog.ts';
import { findSpecifications } from '../../catalog/find-specifications.ts';
import { specificationsOf } from '../../catalog/specification.ts';
import { hotMarket, recentRental } from '../../market/hot-market.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { eachValue, field, select } from '../components/field.ts';
import { figure, usd } from '../components/numbers.ts';
import { asked, filled, filterAsked, pageAsked, sortAsked } from '../frame/asked.ts';
import { html, type Content } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { allPages, tableOf, type Column, type Listing } from '../frame/listing.ts';
import { list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

const HERE = '/market';

/** The number of providers over which a price is averaged, and its day. */
interface Behind {
  providers: number;
  day: string;
}

interface Product extends GpuSpecification {
  /** null if there is no such price */
  rental: Behind | null;
  retail: Behind | null;
}

const number = (name: (typeof figureColumns)[number], label: string, shown: typeof figure = figure) => ({
  name,
  label,
  value: (row: Product) => row[name],
  cell: (row: Product) => shown(row[name]),
  isNumber: true,
  sort: name,
});

/** A price with its count and day below it; files have both as columns. */
const counted = (price: string, behind: Behind | null): Content =>
  html`${price}${behind === null ? null : html`<small>n ${behind.providers}, <time datetime="${behind.day}">${behind.day}</time></small>`}`;

const hidden = (column: Column<Product>): Column<Product> => ({ ...column, isHidden: true });
const text = (name: 'manufacturer' | 'chip' | 'architecture' | 'bus' | 'slug', label: string): Column<Product> =>
  hidden({ name, label, value: (row) => row[name], sort: name });

const FLOPS_PER_TFLOPS = 1e12;

/** Eight columns on the page; the files have all. */
const products = tableOf<Product>([
  {
    name: 'name',
    label: 'Product',
    value: (row) => row.name,
    cell: (row) => html`<a class="line" href="${HERE}/${row.slug}">${row.name}</a>`,
    sort: 'name',
  },
  text('slug', 'Slug'),
  text('manufacturer', 'Maker'),
  text('chip', 'Chip'),
  text('architecture', 'Architecture'),
  text('bus', 'Bus'),
  number('mem', 'Memory, GB'),
  hidden(number('mem_bus', 'Bus width, bits')),
  number('bandwidth', 'Bandwidth, GB/s'),
  number('fp16', 'fp16 dense, TFLOP/s'),
  number('tdp', 'TDP, W'),
  {
    ...number('rental_price', 'On demand, USD per GPU hour'),
    cell: (row) => counted(usd(row.rental_price), row.rental),
  },
  { name: 'provider_count', label: 'Providers', value: (row) => row.rental?.providers ?? null, isHidden: true },
  { name: 'rental_price_date', label: 'Rental of', value: (row) => row.rental_price_date, isHidden: true },
  {
    ...number('retail_price', 'Retail new, USD'),
    cell: (row) => counted(usd(row.retail_price), row.retail),
  },
  { name: 'retail_provider_count', label: 'Sellers', value: (row) => row.retail?.providers ?? null, isHidden: true },
  { name: 'retail_price_date', label: 'Retail of', value: (row) => row.retail?.day ?? null, isHidden: true },
  hidden(number('msrp', 'At launch, USD', usd)),
  {
    // The interface's price per FLOP/s, which nobody can read.
    ...number('cpp', 'USD per TFLOP/s'),
    // The retail price divided by a published figure, so its count is that of the price.
    cell: ({ cpp, retail }) =>
      cpp === null
        ? '–'
        : html`${usd(cpp * FLOPS_PER_TFLOPS)}${retail === null ? null : html`<small>n ${retail.providers}</small>`}`,
  },
  hidden(number('ppw', 'TFLOP/s per W')),
  { name: 'released_date', label: 'Released', value: (row) => row.released_date, isHidden: true },
]);

/** Rows that fit in a page of 100 KB; rows in a page of the API. */
const MOST_ON_PAGE = 50;
const MOST_OF_INTERFACE = 100;

const behind = (row: ReturnType<typeof recentRental>): Behind | null =>
  row === null ? null : { providers: row.provider_count, day: row.day };

async function load({ context, query }: Visit, paginate = pageAsked(query, MOST_ON_PAGE)): Promise<Listing<Product>> {
  const given = filled(query);
  const filter = filterAsked(query, [...textColumns, ...figureColumns]);
  const sortBy = given['sort_by'] ?? 'rental_price';
  const sortOrder = sortAsked(query);
  const request = asked(gpuSpecsRequest, { filter, order_by: [{ [sortBy]: sortOrder }], paginate });
  const market = await hotMarket(context)();
  const { total, results } = findSpecifications(specificationsOf(market, context.now()), request);
  const rows = results.map((row) => ({
    ...row,
    rental: behind(recentRental(market, row.id, context.now())),
    retail: behind(market.retails.get(row.id) ?? null),
  }));
  return { rows, total, page: paginate.page_num, perPage: paginate.num_per_page, sortBy, sortOrder };
}

const show = (visit: Visit, listing: Listing<Product>): Promise<Response> => {
  const search = (name: string, label: string, hint?: string) =>
    eachValue(visit.query, { name, label }, (given) => field({ ...given, maxlength: 200, hint }));
  return page(visit, {
    title: 'Market',
    nav: 'market',
    facts: `${listing.total ?? 0} products; prices are means over n providers, rental ones of the last 30 days`,
    actions: html`<a class="btn" href="${HERE}/archives">Archives</a>`,
    body: html`<form class="filters" method="get" action="${HERE}" role="search" aria-label="Filter products">
        ${search('name', 'Name')}${search('manufacturer', 'Maker')}${search('mem', 'Memory, GB', 'as 40-80')}${search('rental_price', 'On demand, USD per GPU hour', 'as 1-3')}
        <details>
          <summary>More filters</summary>
          <div class="more">
            ${search('chip', 'Chip')}${search('slug', 'Slug')}${search('bus', 'Bus')}${search('architecture', 'Architecture')}${search('mem_bus', 'Bus width, bits')}${search('bandwidth', 'Bandwidth, GB/s')}${search('fp16', 'fp16, TFLOP/s')}${search('tdp', 'TDP, W')}${search('retail_price', 'Retail, USD')}${search('msrp', 'At launch, USD')}${search('cpp', 'USD per FLOP/s', 'as 1e-11-5e-11')}${search('ppw', 'TFLOP/s per W')}${select({ name: 'sort_by', label: 'Sorted by', value: listing.sortBy ?? null, options: sorts })}${select({ name: 'sort_order', label: 'Order', value: listing.sortOrder ?? null, options: orders })}
          </div>
        </details>
        <div class="acts"><button class="main">Search</button> <a href="${HERE}">Clear</a></div>
      </form>
      ${dataTable(visit, {
        caption:
          'Products; specifications are single values that the maker published, retail prices are those of new cards',
        table: products,
        listing,
        shape: 'scroll',
        filesHaveAll: true,
        ifEmpty: empty(
          'No product fits these filters.',
          html`<a href="${HERE}">Show all products</a>. If there are none at all, the operator loads the catalogue by
            starting the coordinator:`,
          'make serve',
        ),
      })}`,
  });
};

/** Includes hidden columns. */
const sorts = products.columns.flatMap(({ sort, label }) => (sort === undefined ? [] : [{ value: sort, label }]));
const orders = [
  { value: 'desc', label: 'largest first' },
  { value: 'asc', label: 'smallest first' },
];

export const marketPages: readonly PageRoute[] = list(
  HERE,
  { who: 'member' },
  {
    table: products,
    load: (visit) => load(visit),
    loadAll: (visit) => allPages((page) => load(visit, { num_per_page: MOST_OF_INTERFACE, page_num: page })),
    show,
  },
);
