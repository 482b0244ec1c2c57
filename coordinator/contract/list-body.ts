import { z } from 'zod';
import { sortOrder, text } from './wire.ts';

/** Request bodies and pages of the lists in the data hub and the catalogue. */

const pageSize = z.int().min(1).max(100).default(50);
const pageNumber = z.int().min(1).max(1_000_000).default(1);

/** The field `paginate`, next to `filter` and `order_by`. */
export const paginate = z
  .object({ num_per_page: pageSize, page_num: pageNumber })
  .default({ num_per_page: 50, page_num: 1 });
export type Page = z.infer<typeof paginate>;

/** The two fields of `paginate` at the top level of the body. */
export const pageFields = { num_per_page: pageSize, page_num: pageNumber };

export const keyword = text(200).default('').meta({ description: 'case-insensitive; part of slug, name or chip' });

/** An array of objects with one key each, of those in `shape`: the format of `filter` and `order_by`. */
export function keyed<S extends z.ZodRawShape>(shape: S, most = 50) {
  const entry = z.strictObject(shape, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownKey(issue, shape) : null),
  });
  // JSON has no undefined, hence the type of exactPartial(); whose keys the OpenAPI document would call required.
  const exact = () => entry.exactPartial();
  const partial = entry.partial() as unknown as ReturnType<typeof exact>;
  return z.array(partial.refine(hasOneKey, 'must have exactly one key')).max(most);
}

const unknownKey = ({ keys }: { keys?: unknown }, shape: object): string =>
  `has the unknown key ${[keys]
    .flat()
    .slice(0, 5)
    .map((key) => String(key).slice(0, 60))
    .join(', ')}; the keys are ${Object.keys(shape).join(', ')}`;

const hasOneKey = (entry: object): boolean => Object.values(entry).filter((value) => value !== undefined).length === 1;

/** The same with one kind of value. */
export function singleKeyed<C extends string, V extends z.ZodType>(
  columns: readonly C[],
  value: V,
): z.ZodDefault<ReturnType<typeof keyed<Record<C, V>>>> {
  const shape: Partial<Record<C, V>> = {};
  for (const column of columns) shape[column] = value;
  return keyed(shape as Record<C, V>).default([]);
}

export const orderBy = <C extends string>(columns: readonly C[]) => singleKeyed(columns, sortOrder);

/** The `data` of a list's answer. */
export const resultsOf = <T extends z.ZodType>(item: T) =>
  z.object({ total: z.int().meta({ description: 'of all pages' }), results: z.array(item) });
