import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { browser, type Browser } from './browser-session.ts';
import { pageViews } from './page-views.ts';
import { readPage } from './read-page.ts';
import { portalWorld } from './world.ts';

const world = await portalWorld({ after });
const stranger = browser(world.app);

interface Exception {
  caption: RegExp;
  reason: string;
  /** the files, linked elsewhere on the page, that have what the table shows; null: there are none */
  files: RegExp | null;
}

/** Every table without links of its own. All but the made-up rows are the numbers of a chart. */
const exceptions: readonly Exception[] = [
  { caption: /^Example, made up$/, reason: 'rows of nobody, for members without the product', files: null },
  {
    caption: /: devices and the band of others$/,
    reason: 'one list has the devices of all these charts',
    files: /\/tasks\/\d+\/peers$/,
  },
  { caption: /^What the sensors said$/, reason: 'the samples are linked above it', files: /\/tasks\/\d+\/samples$/ },
  { caption: /^Newest run of each day/, reason: 'days of the list of runs', files: /\/machines\/[\w-]+$/ },
  { caption: /^Both lines, by every quarter/, reason: 'the list below has whole months', files: /\/forward$/ },
  { caption: /^Prediction and offers$/, reason: 'the two lists below together', files: /\/predict(\/offers)?$/ },
  { caption: /^Money by month, USD in all/, reason: 'a column of the list below', files: /\/rent-or-buy$/ },
  { caption: /^Price by day/, reason: 'columns of the list below', files: /\/market\/[\w-]+$/ },
  {
    caption: /^\d+ (GPUs|processors) by node: /,
    reason: 'marks of the nodes listed below',
    files: /\/jobs\/\d+\/nodes$/,
  },
  { caption: /^Runs beside the base$/, reason: 'a row of the list below', files: /\/compare$/ },
];

interface Found {
  caption: string;
  rows: number;
  /** to files, between the table and the next one */
  links: string[];
}

const linksIn = (text: string): string[] =>
  [...text.matchAll(/href="([^"]+\.(?:csv|json)(?:\?[^"]*)?)"/g)].map(([, link = '']) => link.replaceAll('&amp;', '&'));

function tablesOf(text: string): Found[] {
  const [, ...pieces] = text.split(/(?=<table[ >])/);
  return pieces.map((piece) => {
    const [table = '', rest = ''] = piece.split('</table>');
    const caption = /<caption>([^]*?)<\/caption>/.exec(table)?.[1] ?? '';
    return {
      caption: caption
        .replaceAll(/<[^>]*>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
      // A file has a row for each pair of nodes or devices, not for each that is in the matrix.
      rows: table.includes('class="matrix"') ? 1 : (/<tbody[^]*/.exec(table)?.[0].match(/<tr[ >]/g) ?? []).length,
      links: linksIn(rest),
    };
  });
}

/** The path of a list without its ending, if both of its files are among the links. */
function fileIn(links: readonly string[]): { path: string; query: string } | null {
  for (const link of links) {
    const [, path = '', query = ''] = /^([^?]+)\.csv(?:\?(.*))?$/.exec(link) ?? [];
    const json = `${path}.json${query === '' ? '' : `?${query}`}`;
    if (path !== '' && links.includes(json)) return { path, query };
  }
  return null;
}

/** The files open, have at least the rows of the table, and are of the page's own query if they are the page's list. */
async function check(it: Browser, page: string, table: Found, { path, query }: { path: string; query: string }) {
  const where = `${page}, ${table.caption}`;
  const json = await it.get(`${path}.json?${query}`);
  const csv = await it.get(`${path}.csv?${query}`);
  assert.deepEqual([json.status, csv.status], [200, 200], where);
  const { results } = (await json.json()) as { results: object[] };
  assert.ok(results.length >= table.rows, `${where}: ${results.length} rows for ${table.rows}`);
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/, where);
  const [ownPath, ownQuery] = page.split('?');
  if (path !== ownPath) return;
  const of = new URLSearchParams(query);
  for (const [name, value] of new URLSearchParams(ownQuery)) assert.ok(of.has(name, value), `${where}: ${name}`);
}

test('every table on every page has links to the CSV and JSON of the same query, or is one of a few with a reason', async () => {
  const used = new Set<Exception>();
  const seen = { tables: 0, linked: 0 };
  for (const { path: page, as } of await pageViews(world)) {
    const it = as?.it ?? stranger;
    const { text } = await readPage(it, page);
    const linked = linksIn(text).map((link) => link.replace(/\.(csv|json)(\?.*)?$/, ''));
    for (const table of tablesOf(text)) {
      seen.tables += 1;
      const file = fileIn(table.links);
      const exception = exceptions.find(({ caption }) => caption.test(table.caption));
      if (file === null && exception !== undefined) {
        used.add(exception);
        const { files } = exception;
        if (files !== null)
          assert.ok(
            linked.some((path) => files.test(path)),
            `${page}: ${table.caption}`,
          );
        continue;
      }
      assert.ok(file !== null, `${page}: ${table.caption} has no files`);
      await check(it, page, table, file);
      seen.linked += 1;
    }
  }
  assert.deepEqual(
    exceptions.filter((one) => !used.has(one)).map(({ caption }) => String(caption)),
    [],
    'an exception that nothing needs',
  );
  assert.ok(seen.linked > 20 && seen.linked < seen.tables, JSON.stringify(seen));
});
