import { Command } from 'commander';
import { undoRun } from '../market/ingestion/undo-run.ts';
import { selectRuns } from '../platform/readings/queries.ts';
import { describeRuns, describeUndone } from './describe-runs.ts';
import type { Edges } from './edges.ts';
import { withMarket } from './with-market.ts';

const MOST_SHOWN = 50;
/** The largest that Postgres has. */
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
    .description('Takes a reading of prices back: what it replaced stands again')
    .argument('<run>', 'its id; ingest runs shows it')
    .action(async (run: string) => {
      if (!isRunId(run)) throw new Error('The run must be an id: ingest runs shows them.');
      await withMarket(edges, async (context) => {
        edges.stdout.write(describeUndone(run, await undoRun(context, run)));
      });
    });
