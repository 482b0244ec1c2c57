import { z } from 'zod';
import { instant, text } from '../../contract/wire.ts';
import { invalidQuery } from '../../platform/errors.ts';

/** Where a page ended: the sort it belongs to, the last row's sort value and id, and the number of the next page. */
export interface Cursor {
  value: string | number | null;
  id: string;
  page: number;
}

export type SortKind = 'instant' | 'text' | 'integer';

interface Sort {
  sort_by: string;
  sort_order: 'asc' | 'desc';
}

const valueOf = {
  instant: instant.nullable(),
  text: text(400).nullable(),
  integer: z.int32().nullable(),
} as const;

const shape = z.tuple([
  z.string(),
  z.enum(['asc', 'desc']),
  z.unknown(),
  z.string().regex(/^\d{1,19}$/),
  z.int().min(2),
]);

/** Opaque to clients. */
function encodeCursor(sort: Sort, cursor: Cursor): string {
  const parts = [sort.sort_by, sort.sort_order, cursor.value, cursor.id, cursor.page];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The cursor of the page after `page`, which ends with `last`; null if there is no row to go on from. */
export function nextCursor<By extends string>(
  sort: Sort & { sort_by: By },
  last: ({ id: string } & Record<By, string | number | Date | null>) | undefined,
  page: number,
): string | null {
  if (!last) return null;
  const value: string | number | Date | null = last[sort.sort_by];
  return encodeCursor(sort, {
    value: value instanceof Date ? value.toISOString() : value,
    id: last.id,
    page: page + 1,
  });
}

/** Throws a validation error for anything that was not made by `encodeCursor` for the same sort. */
export function decodeCursor(encoded: string, sort: Sort, kind: SortKind): Cursor {
  const parts = shape.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString('utf8')));
  if (!parts.success) throw invalidQuery('cursor', 'is not the next_cursor of a page');
  const [sortBy, sortOrder, value, id, page] = parts.data;
  if (sortBy !== sort.sort_by || sortOrder !== sort.sort_order) {
    throw invalidQuery('cursor', `belongs to sort_by=${sortBy} sort_order=${sortOrder}; repeat the query it came from`);
  }
  const sortValue = valueOf[kind].safeParse(value);
  if (!sortValue.success || BigInt(id) > 9_223_372_036_854_775_807n)
    throw invalidQuery('cursor', 'is not the next_cursor of a page');
  return { value: sortValue.data, id, page };
}

function parseJson(encoded: string): unknown {
  try {
    return JSON.parse(encoded);
  } catch {
    return undefined;
  }
}
