import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readTable } from '../../platform/read-table.ts';

/** The developer that a word before the slash means (`meta-llama`, `zai-org`); null if it is not in the table. */
export const developerOfOrg = (org: string): string | null => byOrg.get(org) ?? null;

/** The developer of a name without one: by the longest family prefix that the name begins with; null if there is none. */
export function developerOfFamily(name: string): string | null {
  for (const { family, developer } of families) {
    if (!name.startsWith(family)) continue;
    const [last, next] = [family.at(-1) ?? '', name[family.length] ?? ''];
    // `command` must not match `commander`, nor `o1` match `o12`.
    if (/\d/.test(last) ? /[a-z\d]/.test(next) : /[a-z]/.test(next)) continue;
    return developer;
  }
  return null;
}

/** The developer's name as people write it. */
export const developerName = (developer: string): string => names.get(developer) ?? developer;

interface Alias {
  /** developer/name; null if the label does not identify a model */
  model: string | null;
  variant: string;
}

/** The reviewed table's row for a name, first for this seller, then for all; null if there is none. */
export const aliasOf = (name: string, seller: string | null): Alias | null =>
  aliases.get(`${seller} ${name}`) ?? aliases.get(` ${name}`) ?? null;

const cell = z.string().trim();
const words = cell.transform((text) => text.split('|').filter((word) => word !== ''));
const slug = cell.regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words with hyphens');
const model = cell.regex(/^[a-z0-9-]+\/[a-z0-9.-]+$/, 'must be developer/name');

const developerRow = z.object({ developer: slug, name: cell.min(1), orgs: words, families: words });
const aliasRow = z.object({
  seller: z.union([slug, z.literal('')]),
  name: model,
  model: z.union([model, z.literal('').transform(() => null)]),
  variant: z.union([slug, z.literal('').transform(() => 'standard')]),
  why: cell.min(1),
});

const read = <T extends z.ZodType>(name: string, row: T): z.output<T>[] =>
  readTable(name, readFileSync(join(import.meta.dirname, name), 'utf8'), row);

const developers = read('developers.csv', developerRow);
const byOrg: ReadonlyMap<string, string> = new Map(
  developers.flatMap(({ developer, orgs }) => [developer, ...orgs].map((org): [string, string] => [org, developer])),
);
const names: ReadonlyMap<string, string> = new Map(developers.map(({ developer, name }) => [developer, name]));
const families = developers
  .flatMap(({ developer, families: all }) => all.map((family) => ({ family, developer })))
  .toSorted((a, b) => b.family.length - a.family.length);
const aliases: ReadonlyMap<string, Alias> = new Map(
  read('aliases.csv', aliasRow).map((row) => [`${row.seller} ${row.name}`, { model: row.model, variant: row.variant }]),
);
