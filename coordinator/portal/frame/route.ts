import type { Content } from './html.ts';
import type { Listing, Table, WholeList } from './listing.ts';
import type { Access, Visit } from './visit.ts';

/** Handles a visit; a thrown error becomes an error page. */
export type Handle = (visit: Visit) => Promise<Response>;

/** One page or one form action. The routes are data, so that a test can walk them. */
export interface PageRoute extends Access {
  method: 'GET' | 'POST';
  /** in hono's syntax: `/jobs/:id` */
  path: string;
  handle: Handle;
  /** The page's content: subject of the sentence shown to a member without the product or the subscription. */
  holds?: string;
  /** The page's columns with two example rows, shown to a member without the product. */
  example?: (visit: Visit) => Content;
  /** A file or a long-lived stream, not a page, so a failure is a line of text. */
  isPlain?: boolean;
  /** Maximum bytes of a form. */
  bodyLimit?: number;
}

type Rest = Partial<Pick<PageRoute, 'holds' | 'example' | 'isPlain' | 'bodyLimit'>>;

export const get = (path: string, access: Access & Rest, handle: Handle): PageRoute => ({
  method: 'GET',
  path,
  ...access,
  handle,
});

export const post = (path: string, access: Access & Rest, handle: Handle): PageRoute => ({
  method: 'POST',
  path,
  ...access,
  handle,
});

/**
 * A list: its page, and the same rows for the same query as `PATH.csv` and `PATH.json`. `load` reads the query itself,
 * so that the three cannot differ. `PATH.csv?for=excel` is for spreadsheets.
 */
export function list<Row>(
  path: string,
  access: Access & Rest,
  {
    table,
    load,
    loadAll = load,
    show,
  }: {
    table: Table<Row>;
    load: (visit: Visit) => Promise<Listing<Row>>;
    /** for a paginated list whose files have all rows; by default the files have the rows of the page */
    loadAll?: (visit: Visit) => Promise<Listing<Row> | WholeList<Row>>;
    show: (visit: Visit, listing: Listing<Row>) => Promise<Response>;
  },
): PageRoute[] {
  // A parameter at the end of a path would also match the extension.
  const withEnding = (ending: string) =>
    path.replace(/:(\w+)$/, `:$1{[^/]+\\.${ending}}`) + (/:\w+$/.test(path) ? '' : `.${ending}`);
  const bare = (visit: Visit, ending: string): Visit => ({
    ...visit,
    params: Object.fromEntries(
      Object.entries(visit.params).map(([name, value]) => [
        name,
        value.endsWith(ending) ? value.slice(0, -ending.length) : value,
      ]),
    ),
  });
  return [
    get(withEnding('csv'), { ...access, isPlain: true }, async (visit) =>
      table.csv(await loadAll(bare(visit, '.csv')), {
        name: fileName(visit.path),
        forExcel: visit.query.get('for') === 'excel',
      }),
    ),
    get(withEnding('json'), { ...access, isPlain: true }, async (visit) =>
      table.json(await loadAll(bare(visit, '.json'))),
    ),
    get(path, access, async (visit) => show(visit, await load(visit))),
  ];
}

const fileName = (path: string): string =>
  `gpumark-${path
    .slice(1)
    .replace(/\.\w+$/, '')
    .replace(/[^\w-]+/g, '-')}`;
