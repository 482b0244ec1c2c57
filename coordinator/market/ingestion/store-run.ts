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
import type { Observation } from '../observation.ts';
import { HeldOffers } from '../pricing/offers-of-days.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { lineWriter, planForFreshMonths } from '../queries/observations.ts';
import { markAside, selectEarlierCoverage, setReplacedAside } from '../queries/runs.ts';
import { Coverage, dropOfDays, dropOfReadings, type CoverageDrop } from './coverage.ts';
import { Intake } from './intake.ts';

/** Which reading it is. */
interface Part {
  source: string;
  scope: string;
  origin: string;
  /** the one of several files that `origin` holds; null: all of it */
  file: string | null;
  /** its day was said: the same bytes under another day are another day's prices */
  isDated: boolean;
  /** also if exactly this was read before: labels may have got a meaning since */
  again: boolean;
  /** runs that it stands beside: it may take days from none of them */
  beside: ReadonlySet<string>;
  /** it is let in although it has far less than readings before it */
  acceptCoverageDrop: boolean;
}

/** Observations in the order of their file, as many as come at once, and at its end what is known of all of it. */
export type Reading = AsyncGenerator<readonly Observation[], ReadFile>;

interface ReadFile {
  contentSha256: Buffer;
  rowsRead: number;
  refused: Record<string, number>;
  unmatched: UnmatchedLabel[];
  /** whether a label that was left unmatched before means something now */
  isMeant: (kind: UnmatchedLabel['kind'], label: string) => boolean;
}

export interface StoredRun {
  kind: 'stored';
  runId: string;
  rowsKept: number;
  days: string[];
  /** observations of earlier readings that these took the place of */
  rowsReplaced: number;
  /** far less than before, and let in */
  drop: CoverageDrop | null;
}

/** What a reading came to. Only of a stored one anything is kept. */
type RunOutcome =
  | StoredRun
  /** exactly this was read before, and what came of it still stands */
  | { kind: 'known'; earlier: EarlierRun }
  /** it would take days from a run that it stands beside */
  | { kind: 'overlaps'; run: string }
  /** it has far less than readings before it */
  | { kind: 'dropped'; drop: CoverageDrop };

/** Readings before that one is measured against: few enough to follow a source that changes, enough that one bad reading is not the measure. */
const MEASURED_AGAINST = 5;

/**
 * One reading of one part of a source: all of it or, if it throws, nothing. Days that are in it take the place of the same
 * days of earlier readings of that part, which are kept aside; their prices are computed again.
 */
export async function storeRun(context: Context, part: Part, reading: Reading): Promise<RunOutcome> {
  const runId = context.newId();
  const startedAt = context.now();
  return context.sql.begin(async (tx): Promise<RunOutcome> => {
    // Another reading of this part, or of these days, may take as long as this one.
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

/** Sends what is read as it comes, no faster than Postgres takes it. */
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
        // A promise only if Postgres must catch up: to wait for each row costs more than to read it.
        const sent = intake.add(lineOf(observation), observation.observedAt);
        if (sent !== null) await sent;
      }
    }
  } catch (error) {
    intake.abandon();
    // Closes what is read from.
    await reading.return(undefined as never);
    throw error;
  }
}

async function keep(
  context: Context,
  tx: Transaction,
  { source, scope, origin, file: name, isDated, again, beside, acceptCoverageDrop }: Part,
  { runId, startedAt, intake, held, coverage, file }: Taken & { runId: string; startedAt: Date },
): Promise<RunOutcome> {
  const { contentSha256, unmatched, isMeant } = file;
  const { days } = intake;
  const [firstDay, lastDay] = [days[0] ?? null, days.at(-1) ?? null];
  const same = { source, scope, contentSha256 };
  const known = again
    ? null
    : await findSameRun(tx, { ...same, days: isDated ? { first: firstDay, last: lastDay } : null });
  if (known !== null) return { kind: 'known', earlier: known };
  const { indexed } = await intake.settle();
  const measured = { source, scope, before: lastDay, days: Math.max(coverage.days, 1), most: MEASURED_AGAINST };
  const earlier = await selectEarlierCoverage(tx, measured);
  await planForFreshMonths(tx);
  const aside = await setReplacedAside(tx, { source, scope, days, by: runId, indexed });
  const overlapped = [...aside.runs.keys()].find((run) => beside.has(run));
  if (overlapped !== undefined) return { kind: 'overlaps', run: overlapped };
  const { all } = coverage;
  const drop = dropOfDays(aside.days, (day) => coverage.on(day)) ?? dropOfReadings(earlier, all);
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
    rows_kept: all.rows,
    refused: file.refused,
    unmatched: unmatched.reduce((sum, label) => sum + label.rows, 0),
    started_at: startedAt,
    ended_at: context.now(),
    covers: {
      days: coverage.days,
      products: all.products,
      providers: all.providers,
      drop_accepted: drop !== null,
      rows_replaced: rowsReplaced,
    },
  });
  await markAside(tx, { runs: aside.runs, by: runId });
  await lockLabels(tx, source);
  await dropMeant(tx, source, isMeant);
  await addUnmatched(tx, source, unmatched);
  await recomputeDays(tx, days, { reason: 'reading', runId, at: context.now() }, { held, indexed });
  await indexed;
  return { kind: 'stored', runId, rowsKept: all.rows, days, rowsReplaced, drop };
}
