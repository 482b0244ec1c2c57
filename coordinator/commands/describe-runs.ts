import { oneLine } from '../ingest/reading/source-error.ts';
import type { UndoneRun } from '../market/ingestion/undo-run.ts';
import type { RunRow } from '../platform/readings/queries.ts';
import { table } from './text-table.ts';

export const describeRuns = (runs: readonly RunRow[]): string =>
  runs.length === 0
    ? 'nothing was read\n'
    : table(
        ['run', 'read (UTC)', 'source', 'part', 'days', 'kept', 'replaced', 'state'],
        runs.map((run) => [
          run.id,
          run.ended_at.toISOString().slice(0, 16).replace('T', ' '),
          run.source,
          oneLine(run.scope),
          daysOf(run),
          run.rows_kept,
          run.rows_replaced ?? '?',
          stateOf(run),
        ]),
      );

export const describeUndone = (id: string, { source, scope, rowsAside, rowsBack, days }: UndoneRun): string =>
  `run ${id} of ${source}, ${oneLine(scope)}: ${rowsAside} observations put aside, ${rowsBack} earlier ones stand again${
    days.length === 0 ? '' : ` (${daysOf({ first_day: days[0] ?? null, last_day: days.at(-1) ?? null })})`
  }\n`;

function daysOf({ first_day, last_day }: Pick<RunRow, 'first_day' | 'last_day'>): string {
  if (first_day === null) return '-';
  return first_day === last_day ? first_day : `${first_day} to ${last_day}`;
}

function stateOf({ undone_at, replaced_by, rows_aside, rows_kept }: RunRow): string {
  if (undone_at !== null) return 'undone';
  if (replaced_by !== null) return `replaced by ${replaced_by}`;
  return rows_aside === '0' ? 'stands' : `${rows_aside} of ${rows_kept} replaced`;
}
