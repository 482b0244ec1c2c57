import type { TaskDetail } from '../../contract/task.ts';
import type { KeptAsideRow } from './queries.ts';

/** Row -> wire; null where every result counts. */
export function keptAsideOnWire(rows: readonly KeptAsideRow[]): TaskDetail['kept_aside'] {
  if (rows.length === 0) return null;
  const what = rows.length === 1 ? '1 more result' : `${rows.length} more results`;
  return {
    count: rows.length,
    warning: `${what} came after the end of this task; the first one of a benchmark stands, these count nowhere.`,
    results: rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() })),
  };
}
