import { median } from '../../figures/statistics.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { mayTakeLong, rollBack } from '../../platform/db/transactions.ts';
import { dropOfDays, dropOfReadings, type Counts, type CoverageDrop } from '../../platform/readings/coverage.ts';
import {
  dropMeant,
  findSameRun,
  insertRun,
  addUnmatched,
  lockLabels,
  lockScope,
  type EarlierRun,
  type UnmatchedLabel,
} from '../../platform/readings/queries.ts';
import { selectEarlierCoverage } from '../../platform/readings/queries/stored-runs.ts';
import { bringBack, selectReplacing } from '../../platform/readings/queries/replaced-rows.ts';
import type { KeptReadings } from '../../platform/readings/undo-reading.ts';
import { recomputeTokenDays } from '../pricing/recompute-token-days.ts';
import {
  insertObservations,
  markEmptied,
  readingTables,
  selectDaysWithSplit,
  setOwnAside,
  setReplacedAside,
} from '../queries/store-observations.ts';
import type { Observations, UsageObservation } from '../observations.ts';

/** One reading of one part of a source, read to its end. */
interface TokenRun extends Observations {
  source: string;
  scope: string;
  origin: string;
  /** which of several files in `origin`; null if it is a single file */
  file: string | null;
  contentSha256: Buffer;
  rowsRead: number;
  /** rows of the file that became observations */
  rowsKept: number;
  refused: Readonly<Record<string, number>>;
  unmatched: readonly UnmatchedLabel[];
  /** whether a label that was left unmatched before can be matched now */
  isMeant: (kind: UnmatchedLabel['kind'], label: string) => boolean;
  /** the days that it covers, even if nothing of them is kept */
  days: readonly string[];
  /** store it even if the same content was read before: labels may be matched that were not then */
  again: boolean;
  /** store it even if it has far less than earlier readings */
  acceptCoverageDrop: boolean;
}

type TokenRunOutcome =
  | StoredTokenRun
  /** it has far less than earlier readings, and nothing of it is kept */
  | { kind: 'dropped'; drop: CoverageDrop };

export type StoredTokenRun =
  | { kind: 'known'; earlier: EarlierRun }
  | {
      kind: 'stored';
      runId: string;
      days: readonly string[];
      /** usage rows that are not kept, because the page of their day was read */
      covered: readonly UsageObservation[];
      /** observations of earlier readings that these replaced */
      rowsReplaced: number;
      /** the accepted drop in coverage; null if there was none */
      drop: CoverageDrop | null;
    };

/** Stores all of a reading or nothing of it, replacing what was read of the same part and days before. */
export async function storeTokenRun(context: Context, run: TokenRun): Promise<TokenRunOutcome> {
  const { source, scope } = run;
  const runId = context.newId();
  const startedAt = context.now();
  const days = run.days.toSorted();
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) throw new Error(`${run.origin}: the reading covers no day`);
  return context.sql.begin(async (tx): Promise<TokenRunOutcome> => {
    // Another reading of this part may take as long as this one.
    await mayTakeLong(tx);
    await lockScope(tx, source, scope);
    // A file under another name with the same bytes is a copy.
    const same = run.again ? null : await findSameRun(tx, { ...run, scope: null, days: { first, last } });
    if (same !== null) return { kind: 'known', earlier: same };
    const { usage, covered } = await withoutCovered(tx, run);
    const written = { ...run, usage };
    const earlier = await selectEarlierCoverage(tx, { source, scope, before: last, days: days.length });
    const ofDays = daysOf(days, covered, usage);
    const replaced = await setReplacedAside(tx, { source, scope, days: ofDays, by: runId });
    const all = countsOf(written);
    const drop =
      dropOfDays(replaced.days, (day) => countsOf(written, day)) ??
      // Days that keep the counts of the page are not a measure of a dataset.
      (covered.length > 0 ? null : dropOfReadings(earlier, all, median));
    if (drop !== null && !run.acceptCoverageDrop) {
      await rollBack(tx);
      return { kind: 'dropped', drop };
    }
    await insertRun(tx, {
      id: runId,
      source,
      scope,
      origin: run.origin,
      file: run.file,
      content_sha256: run.contentSha256,
      first_day: first,
      last_day: last,
      rows_read: run.rowsRead,
      rows_kept: run.rowsKept - covered.length,
      refused: covered.length === 0 ? { ...run.refused } : { ...run.refused, 'page-has-day': covered.length },
      unmatched: run.unmatched.reduce((sum, { rows }) => sum + rows, 0),
      started_at: startedAt,
      ended_at: context.now(),
      covers: { days: days.length, covered: all, drop_accepted: drop !== null, rows_replaced: replaced.rows },
    });
    await insertObservations(tx, { run_id: runId, source }, written);
    await markEmptied(tx, { ofRuns: replaced.ofRuns, by: runId });
    await lockLabels(tx, source);
    await dropMeant(tx, source, run.isMeant);
    await addUnmatched(tx, source, run.unmatched);
    await recomputeTokenDays(context, tx, { first, last });
    return { kind: 'stored', runId, days, covered, rowsReplaced: replaced.rows, drop };
  });
}

/**
 * Of one day, or of all. Usage with and without a split are of different feeds, of which one may have more items than the
 * other.
 */
function countsOf({ prices, models, usage }: Observations, on: string | null = null): Counts {
  const ofDay = <Of extends { day: string }>(all: readonly Of[]): readonly Of[] =>
    on === null ? all : all.filter(({ day }) => day === on);
  if (usage.length > 0) {
    const hasSplit = usage.some(({ tokens_input }) => tokens_input !== null);
    return { [hasSplit ? 'usage' : 'usage without a split']: ofDay(usage).length };
  }
  const asked = ofDay(prices);
  return {
    prices: asked.length,
    models: new Set([...asked, ...ofDay(models)].map(({ model }) => model)).size,
    sellers: new Set(asked.map(({ seller }) => seller)).size,
  };
}

/** Counts without a split never replace those with one, whichever came first. */
async function withoutCovered(
  tx: Transaction,
  { source, usage, days }: TokenRun,
): Promise<{ usage: readonly UsageObservation[]; covered: readonly UsageObservation[] }> {
  if (usage.length === 0 || usage.some(({ tokens_input }) => tokens_input !== null)) return { usage, covered: [] };
  const split = await selectDaysWithSplit(tx, { source, days });
  return {
    usage: usage.filter(({ day }) => !split.has(day)),
    covered: usage.filter(({ day }) => split.has(day)),
  };
}

/** The days to be replaced: all but those that keep the counts of the page. */
function daysOf(
  days: readonly string[],
  covered: readonly UsageObservation[],
  usage: readonly UsageObservation[],
): readonly string[] {
  if (covered.length === 0) return days;
  const written = new Set(usage.map(({ day }) => day));
  return days.filter((day) => written.has(day));
}

/** Readings of token prices, models and volumes: book, pulse and indices of the days of an undone one are derived again. */
export const keptTokens = (context: Context): KeptReadings => ({
  replacing: selectReplacing,
  exchange: async (tx, run) => {
    const rowsAside = await setOwnAside(tx, run.id);
    const rowsBack = await bringBack(tx, readingTables, run.id);
    return { rowsAside, rowsBack, days: [run.first_day, run.last_day].filter((day) => day !== null) };
  },
  derive: async (tx, { first_day: first, last_day: last }) => {
    if (first !== null && last !== null) await recomputeTokenDays(context, tx, { first, last });
  },
});
