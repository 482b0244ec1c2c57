import assert from 'node:assert/strict';
import type { Browser } from './browser-session.ts';

export type Row = Record<string, unknown>;

/** The rows of a list, by the path and query of its page: its JSON, after its CSV was found to have the same. */
export async function listRows(it: Browser, page: string): Promise<{ total: number; rows: Row[] }> {
  const [path = '', query = ''] = page.split('?');
  const read = async (ending: string): Promise<string> => {
    const answer = await it.get(`${path}.${ending}?${query}`);
    const text = await answer.text();
    assert.equal(answer.status, 200, `${page}: ${text}`);
    return text;
  };
  const { total, results } = JSON.parse(await read('json')) as { total: number; results: Row[] };
  const [head = '', ...records] = (await read('csv')).trimEnd().split('\r\n');
  const names = head.split(',');
  assert.deepEqual(
    records.map(cellsOf),
    results.map((row) => names.map((name) => textOf(row[name]))),
    page,
  );
  for (const row of results) assert.deepEqual(Object.keys(row), names, page);
  return { total, rows: results };
}

/** A value as a CSV has it. */
export const textOf = (value: unknown): string =>
  value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);

const cellsOf = (record: string): string[] =>
  [...`,${record}`.matchAll(/,(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain = '']) => quoted?.replaceAll('""', '"') ?? plain,
  );
