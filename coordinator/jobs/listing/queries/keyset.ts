import type { Fragment } from 'postgres';
import type { Queryable } from '../../../platform/db/client.ts';
import type { Cursor, SortKind } from '../cursor.ts';

export interface SortColumn {
  column: Fragment;
  kind: SortKind;
  nullable: boolean;
}

/** `order by` column and id. Null is the largest value: last in ascending order, first in descending. */
export const inOrder = (sql: Queryable, { column }: SortColumn, order: 'asc' | 'desc', id: Fragment): Fragment =>
  order === 'asc' ? sql`order by ${column} asc, ${id} asc` : sql`order by ${column} desc, ${id} desc`;

/** The rows that come after the cursor in that order. Rows are compared, not offsets, so inserts shift nothing. */
export function afterCursor(
  sql: Queryable,
  { column, kind, nullable }: SortColumn,
  order: 'asc' | 'desc',
  id: Fragment,
  cursor: Cursor,
): Fragment {
  if (cursor.value === null) {
    return order === 'asc'
      ? sql`(${column} is null and ${id} > ${cursor.id}::int8)`
      : sql`(${column} is not null or ${id} < ${cursor.id}::int8)`;
  }
  const value = typed(sql, kind, cursor.value);
  const after =
    order === 'asc'
      ? sql`(${column}, ${id}) > (${value}, ${cursor.id}::int8)`
      : sql`(${column}, ${id}) < (${value}, ${cursor.id}::int8)`;
  return nullable && order === 'asc' ? sql`(${after} or ${column} is null)` : after;
}

function typed(sql: Queryable, kind: SortKind, value: string | number): Fragment {
  switch (kind) {
    case 'instant':
      return sql`${value}::timestamptz`;
    case 'text':
      return sql`${value}::text`;
    case 'integer':
      return sql`${value}::int`;
  }
}
