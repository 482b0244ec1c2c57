import type { Context } from '../../platform/context.ts';
import { mayTakeLong } from '../../platform/db/locks.ts';
import { HeldOffers } from '../pricing/held-offers.ts';
import { recomputeDays } from '../pricing/recompute-days.ts';
import { selectEarlierCoverage, markAside, setReplacedAside } from '../queries/runs.ts';
import { lineWriter, planForFreshMonths } from '../queries/observations.ts';
import { dropMeant, insertRun, listUnmatched, lockLabels, lockScope } from '../../platform/readings/queries.ts';
import { Coverage } from './coverage.ts';
import { Intake } from './intake.ts';
import { CoverageDropError, dropOfDays, dropOfReadings, type CoverageDrop } from './judge-coverage.ts';
import type { Observation } from '../observation.ts';
import type { UnmatchedLabel } from '../../platform/readings/unmatched-label.ts';

/** What is known of a file once it was read to its end. */
export interface ReadFile {
  contentSha256: Buffer;
  rowsRead: number;
  refused: Record<string, number>;
  unmatched: UnmatchedLabel[];
  /** whether a label that was left unmatched before means something now */
  isMeant: (kind: UnmatchedLabel['kind'], label: string) => boolean;
}

export interface StoredRun {
  runId: string;
  rowsKept: number;
  days: string[];
  /** observations of earlier readings that these took the place of */
  rowsReplaced: number;
  /** far less than before, and let in */
  drop: CoverageDrop | null;
}

/** Which reading it is. */
export interface Part {
  source: string;
  scope: string;
  origin: string;
  /** the one of several files that `origin` holds; null: all of it */
  file: string | null;
  /** Is told the runs that this one takes days from, and throws where it must not. */
  mayReplace: (runs: readonly string[]) => void;
  /** it is let in although it has far less than readings before it */
  acceptCoverageDrop: boolean;
}

/** Readings before that one is measured against: few enough to follow a source that changes, enough that one bad reading is not the measure. */
const MEASURED_AGAINST = 5;

/** Takes an observation. A promise where Postgres must catch up before the next. */
export type Keep = (row: Observation) => Promise<void> | null;

/**
 * One reading of one part of a source: all that `read` keeps or, where it throws, nothing. Days that are in it take the
 * place of the same days of earlier readings of that part, which are kept aside; their prices are computed again. Throws
 * `CoverageDropError` where that would lose much of what the source had.
 */
export async function storeRun(
  context: Context,
  { source, scope, origin, file: name, mayReplace, acceptCoverageDrop }: Part,
  read: (keep: Keep) => Promise<ReadFile>,
): Promise<StoredRun> {
  const runId = context.newId();
  const startedAt = context.now();
  return context.sql.begin(async (tx) => {
    // Another reading of this part, or of these days, may take as long as this one.
    await mayTakeLong(tx);
    await lockScope(tx, source, scope);
    const held = new HeldOffers({ runId, source });
    const { coverage, days, file, indexed } = await takeIn(new Intake(context, tx), { runId, held }, read);
    const { unmatched, isMeant, ...readFile } = file;
    const all = coverage.all;
    const earlier = await selectEarlierCoverage(tx, {
      source,
      scope,
      before: days.at(-1) ?? null,
      days: Math.max(coverage.days, 1),
      most: MEASURED_AGAINST,
    });
    await planForFreshMonths(tx);
    const aside = await setReplacedAside(tx, { source, scope, days, by: runId, indexed });
    mayReplace([...aside.runs.keys()]);
    const drop = dropOfDays(aside.days, (day) => coverage.on(day)) ?? dropOfReadings(earlier, all);
    if (drop !== null && !acceptCoverageDrop) throw new CoverageDropError(drop);
    const rowsReplaced = [...aside.runs.values()].reduce((sum, rows) => sum + rows, 0);
    await insertRun(tx, {
      ...readFile,
      id: runId,
      source,
      scope,
      origin,
      file: name,
      firstDay: days[0] ?? null,
      lastDay: days.at(-1) ?? null,
      rowsKept: all.rows,
      unmatched: unmatched.reduce((sum, label) => sum + label.rows, 0),
      startedAt,
      endedAt: context.now(),
      covers: { ...all, days: coverage.days, dropAccepted: drop !== null, rowsReplaced },
    });
    await markAside(tx, { runs: aside.runs, by: runId });
    await lockLabels(tx, source);
    await dropMeant(tx, source, isMeant);
    await listUnmatched(tx, source, unmatched);
    await recomputeDays(tx, days, { reason: 'reading', runId, at: context.now() }, { held, indexed });
    await indexed;
    return { runId, rowsKept: all.rows, days, rowsReplaced, drop };
  });
}

/** Sends what is kept as it comes, no faster than Postgres takes it. */
async function takeIn(
  intake: Intake,
  { runId, held }: { runId: string; held: HeldOffers },
  read: (keep: Keep) => Promise<ReadFile>,
): Promise<{ coverage: Coverage; days: string[]; file: ReadFile; indexed: Promise<void> }> {
  const lineOf = lineWriter(runId);
  const coverage = new Coverage();
  try {
    const file = await read((row) => {
      coverage.add(row);
      held.add(row);
      return intake.add(lineOf(row), row.observedAt);
    });
    return { coverage, days: intake.days, file, ...(await intake.end()) };
  } catch (error) {
    intake.abandon();
    throw error;
  }
}
