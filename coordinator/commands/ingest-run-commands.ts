import { Command } from 'commander';
import { oneLine } from '../ingest/reading/source-error.ts';
import { allTokenConnectors } from '../ingest/carbon-and-token-connectors.ts';
import { isCarbonSource, keptCarbon } from '../carbon/store-editions.ts';
import { keptPrices } from '../market/ingestion/store-run.ts';
import { keptTokens } from '../tokens/ingestion/store-token-run.ts';
import { type KeptReadings, type UndoneRun, undoReading } from '../platform/readings/undo-reading.ts';
import type { Context } from '../platform/context.ts';
import { type RunRow, selectRuns } from '../platform/readings/queries.ts';
import type { Edges } from './edges.ts';
import { table } from './text-table.ts';
import { withMarket } from './open-platform.ts';
import { minuteText } from '../platform/minute-text.ts';

const MOST_SHOWN = 50;
/** The largest bigint of Postgres. */
const MOST_ID = 2n ** 63n - 1n;
const isRunId = (text: string): boolean => /^[1-9]\d{0,18}$/.test(text) && BigInt(text) <= MOST_ID;

export const runsCommand = (edges: Edges): Command =>
  new Command('runs')
    .description(`The last ${MOST_SHOWN} readings, newest first, with what they replaced`)
    .argument('[source]', 'of this source alone')
    .action(async (source: string | undefined) => {
      await withMarket(edges, async (context) => {
        const runs = await selectRuns(context.sql, { source: source ?? null, most: MOST_SHOWN });
        edges.stdout.write(describeRuns(runs));
      });
    });

export const undoCommand = (edges: Edges): Command =>
  new Command('undo')
    .description('Takes a reading of prices, tokens or carbon data back: what it replaced stands again')
    .argument('<run>', 'its id; ingest runs shows it')
    .action(async (run: string) => {
      if (!isRunId(run)) throw new Error('The run must be an id: ingest runs shows them.');
      await withMarket(edges, async (context) => {
        edges.stdout.write(describeUndone(run, await undoReading(context, run, keptBy(context))));
      });
    });

const tokenNames: ReadonlySet<string> = new Set(allTokenConnectors.map(({ name }) => name));

/** How the readings of a source are kept. */
const keptBy =
  (context: Context) =>
  (source: string): KeptReadings => {
    if (tokenNames.has(source)) return keptTokens(context);
    return isCarbonSource(source) ? keptCarbon : keptPrices(context);
  };

const describeRuns = (runs: readonly RunRow[]): string =>
  runs.length === 0
    ? 'nothing was read\n'
    : table(
        ['run', 'read (UTC)', 'source', 'part', 'days', 'kept', 'replaced', 'state'],
        runs.map((run) => [
          run.id,
          minuteText(run.ended_at),
          run.source,
          oneLine(run.scope),
          daysOf(run),
          run.rows_kept,
          run.rows_replaced ?? '?',
          stateOf(run),
        ]),
      );

const describeUndone = (id: string, { source, scope, rowsAside, rowsBack, days }: UndoneRun): string =>
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
