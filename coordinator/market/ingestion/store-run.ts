import { median } from '../../figures/statistics.ts';
import type { Context } from '../../platform/context.ts';
import type { Transaction } from '../../platform/db/client.ts';
import { mayTakeLong, rollBack } from '../../platform/db/transactions.ts';
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
import { selectEarlierCoverage, selectUnitChanges } from '../../platform/readings/queries/stored-runs.ts';
import type { KeptReadings } from '../../platform/readings/undo-reading.ts';
import type { Observation } from '../observation.ts';
import { HeldOffers } from '../pricing/offers-of-days.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { lineWriter, planForFreshMonths } from '../queries/observations.ts';
import { bringBack, markAside, selectReplacing, setOwnAside, setReplacedAside } from '../queries/runs.ts';
import { dropOfDays, dropOfReadings, type CoverageDrop } from '../../platform/readings/coverage.ts';
import { Coverage } from './coverage.ts';
import { Intake, summariseMonths } from './intake.ts';
import { findUnitChange, type UnitChange } from './unit-guard.ts';

/** Identifies a reading and says how to store it. */
interface Part {
  source: string;
  scope: string;
  /** the scope is the file's own name: the same bytes under another name are a copy of it */
  isNamedByFile: boolean;
  origin: string;
  /** the file within `origin` if that holds several; null: all of `origin` */
  file: string | null;
  /** its day was stated: the same bytes for another day are different prices */
  isDated: boolean;
  /** read it even if exactly these bytes were read before: labels can have got a meaning since */
  again: boolean;
  /** runs of the other files of its archive, none of whose days it may replace */
  beside: ReadonlySet<string>;
  /** store it even if it has far less than earlier readings */
  acceptCoverageDrop: boolean;
  /** days on which, by the operator, the source's prices changed their unit */
  unitChangedOn: readonly string[];
}

/** Batches of observations in the order of the file; returns the facts about the whole file. */
export type Reading = AsyncGenerator<readonly Observation[], ReadFile>;

interface ReadFile {
  contentSha256: Buffer;
  rowsRead: number;
  refused: Record<string, number>;
  unmatched: UnmatchedLabel[];
  /** whether a label left unmatched earlier has a meaning now */
  isMeant: (kind: UnmatchedLabel['kind'], label: string) => boolean;
}

export interface StoredRun {
  kind: 'stored';
  runId: string;
  rowsKept: number;
  days: string[];
  /** observations of earlier readings that this run replaced */
  rowsReplaced: number;
  /** the accepted drop in coverage; null if there was none */
  drop: CoverageDrop | null;
}

/** Outcome of a reading. Nothing is kept unless it is `stored`. */
type RunOutcome =
  | StoredRun
  /** exactly this was read before, and its rows are still in force */
  | { kind: 'known'; earlier: EarlierRun }
  /** it would replace days of a run in `beside` */
  | { kind: 'overlaps'; run: string }
  /** it has far less than earlier readings */
  | { kind: 'dropped'; drop: CoverageDrop }
  /** most of its prices move by a factor that another unit would explain */
  | { kind: 'unit-changed'; change: UnitChange };

/**
 * Stores one reading of one part of a source: all of it or, if it throws, nothing. Its days replace the same days of
 * earlier readings of that part, which are kept aside; the prices of those days are computed again.
 */
export async function storeRun(context: Context, part: Part, reading: Reading): Promise<RunOutcome> {
  const runId = context.newId();
  const startedAt = context.now();
  return context.sql.begin(async (tx): Promise<RunOutcome> => {
    // Another reading of this part, or of these days, can take as long as this one.
    await mayTakeLong(tx);
    await lockScope(tx, part.source, part.scope);
    const taken = await storeObservations(new Intake(context, tx), { runId, source: part.source }, reading);
    const outcome = await keep(context, tx, part, { runId, startedAt, ...taken });
    if (outcome.kind !== 'stored') await rollBack(tx);
    return outcome;
  });
}

interface Taken {
  intake: Intake;
  held: HeldOffers;
  coverage: Coverage;
  file: ReadFile;
}

/** Streams the reading to Postgres, no faster than Postgres accepts it. */
async function storeObservations(
  intake: Intake,
  run: { runId: string; source: string },
  reading: Reading,
): Promise<Taken> {
  const lineOf = lineWriter(run.runId);
  const [held, coverage] = [new HeldOffers(run), new Coverage()];
  try {
    for (;;) {
      const next = await reading.next();
      if (next.done === true) {
        await intake.endCopy();
        return { intake, held, coverage, file: next.value };
      }
      for (const observation of next.value) {
        coverage.add(observation);
        held.add(observation);
        // A promise only if Postgres must catch up: awaiting each row would cost more than reading it.
        const sent = intake.add(lineOf(observation), observation.observedAt);
        if (sent !== null) await sent;
      }
    }
  } catch (error) {
    intake.abandon();
    // Closes the source of the reading.
    await reading.return(undefined as never);
    throw error;
  }
}

async function keep(
  context: Context,
  tx: Transaction,
  { source, scope, isNamedByFile, origin, file: name, isDated, again, beside, acceptCoverageDrop, unitChangedOn }: Part,
  { runId, startedAt, intake, held, coverage, file }: Taken & { runId: string; startedAt: Date },
): Promise<RunOutcome> {
  const { contentSha256, unmatched, isMeant } = file;
  const { days } = intake;
  const [firstDay, lastDay] = [days[0] ?? null, days.at(-1) ?? null];
  const same = { source, scope: isNamedByFile ? null : scope, contentSha256 };
  const known = again
    ? null
    : await findSameRun(tx, { ...same, days: isDated ? { first: firstDay, last: lastDay } : null });
  if (known !== null) return { kind: 'known', earlier: known };
  const { indexed } = await intake.settle();
  const measured = { source, scope, before: lastDay, days: Math.max(coverage.days, 1) };
  const earlier = await selectEarlierCoverage(tx, measured);
  await planForFreshMonths(tx);
  const aside = await setReplacedAside(tx, { source, scope, days, by: runId, indexed });
  const overlapped = [...aside.runs.keys()].find((run) => beside.has(run));
  if (overlapped !== undefined) return { kind: 'overlaps', run: overlapped };
  const { all } = coverage;
  const drop = dropOfDays(aside.days, (day) => coverage.on(day)) ?? dropOfReadings(earlier, all, median);
  if (drop !== null && !acceptCoverageDrop) return { kind: 'dropped', drop };
  const rowsReplaced = [...aside.runs.values()].reduce((sum, rows) => sum + rows, 0);
  await insertRun(tx, {
    id: runId,
    source,
    scope,
    origin,
    file: name,
    content_sha256: contentSha256,
    first_day: firstDay,
    last_day: lastDay,
    rows_read: file.rowsRead,
    rows_kept: coverage.rows,
    refused: file.refused,
    unmatched: unmatched.reduce((sum, label) => sum + label.rows, 0),
    unit_changed_on: unitChangedOn,
    started_at: startedAt,
    ended_at: context.now(),
    covers: {
      days: coverage.days,
      covered: all,
      drop_accepted: drop !== null,
      rows_replaced: rowsReplaced,
    },
  });
  const stated = new Set((await selectUnitChanges(tx, source)).map(({ day }) => day));
  const change = await findUnitChange(tx, { source, runId, days, arrived: { held, indexed }, known: stated });
  if (change !== null) return { kind: 'unit-changed', change };
  await markAside(tx, { runs: aside.runs, by: runId });
  await lockLabels(tx, source);
  await dropMeant(tx, source, isMeant);
  await addUnmatched(tx, source, unmatched);
  await recomputeDays(tx, days, { reason: 'reading', runId, at: context.now() }, { held, indexed });
  await indexed;
  return { kind: 'stored', runId, rowsKept: coverage.rows, days, rowsReplaced, drop };
}

/** Readings of prices: an undone one leaves its days to what it replaced, and they are priced again. */
export const keptPrices = (context: Context): KeptReadings => ({
  replacing: selectReplacing,
  exchange: async (tx, run) => {
    await planForFreshMonths(tx);
    // Before the run's own rows go aside with the same `replaced_by`; those have its own `run_id`.
    const rowsBack = await bringBack(tx, run.id);
    const own = await setOwnAside(tx, run);
    return { rowsAside: own.reduce((sum, { rows }) => sum + rows, 0), rowsBack, days: own.map(({ day }) => day) };
  },
  derive: async (tx, { id }, days) => {
    await summariseMonths(context, [...new Set(days.map((day) => day.slice(0, 7)))]);
    await recomputeDays(tx, days, { reason: 'undo', runId: id, at: context.now() });
  },
});
