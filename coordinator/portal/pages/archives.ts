import { z } from 'zod';
import { archiveIntervals, archiveListRequest, archiveTypes, type ArchiveFile } from '../../contract/market.ts';
import { digitsId } from '../../contract/wire.ts';
import { downloadArchive, listArchives } from '../../market/archive/archives.ts';
import { operatorLine } from '../components/copyable.ts';
import { dataTable } from '../components/data-table.ts';
import { empty } from '../components/note.ts';
import { eachValue, select } from '../components/field.ts';
import { asked, filled, filterAsked, pageAsked, sortAsked, valuesOf } from '../frame/asked.ts';
import { html } from '../frame/html.ts';
import { page, seeOther } from '../frame/layout.ts';
import { tableOf, type Listing } from '../frame/listing.ts';
import { get, list, type PageRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';

const HERE = '/market/archives';

const files = tableOf<ArchiveFile>([
  {
    name: 'period',
    label: 'Period',
    value: (row) => row.period,
    cell: (row) => html`<a href="${HERE}/file?id=${row.id}">${row.period}</a>`,
    sort: 'period',
  },
  { name: 'interval', label: 'Of a', value: (row) => row.interval },
  { name: 'type', label: 'Prices', value: (row) => row.type },
  { name: 'tier', label: 'Tier', value: (row) => row.tier, isNumber: true },
  { name: 'csv_s3_path', label: 'File', value: (row) => row.csv_s3_path },
  { name: 'sequence_id', label: 'Built as number', value: (row) => row.sequence_id, isHidden: true },
  { name: 'id', label: 'Id', value: (row) => row.id, isHidden: true },
]);

async function load({ context, query }: Visit): Promise<Listing<ArchiveFile>> {
  const paginate = pageAsked(query);
  const sortOrder = sortAsked(query);
  const request = asked(archiveListRequest, {
    filter: [
      ...valuesOf(query, 'tier').map((tier) => ({ tier: Number(tier) })),
      ...filterAsked(query, ['interval', 'type', 'period']),
    ],
    order_by: [{ period: sortOrder }],
    paginate,
  });
  const { total, results } = await listArchives(context, request);
  return { rows: results, total, page: paginate.page_num, perPage: paginate.num_per_page, sortBy: 'period', sortOrder };
}

const show = (visit: Visit, listing: Listing<ArchiveFile>): Promise<Response> => {
  const choice = (name: string, label: string, values: readonly string[], any: string) =>
    eachValue(visit.query, { name, label }, (given) =>
      select({ ...given, options: [{ value: '', label: any }, ...values.map((value) => ({ value, label: value }))] }),
    );
  return page(visit, {
    title: 'Archives of prices',
    nav: 'market',
    crumbs: [{ href: '/market', label: 'Market' }],
    facts: `${listing.total ?? 0} files of CSV; tier 3 lists every offer, tier 2 a price by product, country and term`,
    body: html`<form class="filters" method="get" action="${HERE}" role="search" aria-label="Which files">
        ${choice('tier', 'Tier', ['2', '3'], '3')}${choice('interval', 'Of a', archiveIntervals, 'any')}${choice('type', 'Prices', archiveTypes, 'any')}
        <div class="acts"><button class="main">Show</button></div>
      </form>
      ${dataTable(visit, {
        caption: 'Files, the newest period first unless told otherwise',
        table: files,
        listing,
        shape: 'scroll',
        ifEmpty: empty(
          'No file passes this filter.',
          html`Files are built after each period has ended. <a href="${HERE}">All files of tier 3</a>. If there are none
            at all, the operator builds them:`,
          operatorLine('archive build'),
        ),
      })}`,
  });
};

/** Redirects to the store's signed URL; the verb refuses a level that the tier does not include. */
async function file({ context, query }: Visit): Promise<Response> {
  const { id } = asked(z.object({ id: digitsId }), filled(query));
  return seeOther((await downloadArchive(context, id)).csv_download_url);
}

export const archivePages: readonly PageRoute[] = [
  get(`${HERE}/file`, { who: 'member', isPlain: true }, file),
  ...list(HERE, { who: 'member' }, { table: files, load, show }),
];
