import type { Content } from './html.ts';
import type { Listing, Table, WholeList } from './listing.ts';
import type { Access, Visit } from './visit.ts';

/** Answers a visit; what it throws becomes a page that says so. */
export type Handle = (visit: Visit) => Promise<Response>;

/** One page, or one thing that a form does. The list of them is data, so that a test can walk it. */
export interface PageRoute extends Access {
  method: 'GET' | 'POST';
  /** as hono has it: `/jobs/:id` */
  path: string;
  handle: Handle;
  /** What the page holds, for a member who lacks the product or the subscription. */
  holds?: string;
  /** Two rows that show its columns, for a member who lacks the product. */
  example?: (visit: Visit) => Content;
  /** A stream that stays open or a file: no page, so a failure is a line of text. */
  isPlain?: boolean;
  /** Bytes of a form. */
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
 * A list: its page, and the same rows under the same query as `PATH.csv` and `PATH.json`. `load` reads the query itself, so
 * that the three cannot differ.
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
    /** of a list of pages whose files have all rows; otherwise they have what the page has */
    loadAll?: (visit: Visit) => Promise<Listing<Row> | WholeList<Row>>;
    show: (visit: Visit, listing: Listing<Row>) => Promise<Response>;
  },
): PageRoute[] {
  // A parameter at the end of a path would take the ending with it.
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
      table.csv(await loadAll(bare(visit, '.csv')), fileName(visit.path)),
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
