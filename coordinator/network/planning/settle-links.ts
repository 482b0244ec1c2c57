import { graceMs } from '../network-times.ts';
import { lockFailedOf, lockUnsettled, selectSilentEnds, updateReported, type LinkRow } from '../queries/links.ts';
import { mergeReports } from '../results/merge-reports.ts';
import { isLive } from '../run-row.ts';
import { lostSeats, type Step } from './step.ts';

/**
 * A node counts as lost after a lease without contact, which spans at most three plans, since each is longer than a third
 * of it.
 */
const SILENT_PLANS = 3;

/**
 * Ends a phase. True once every slot has its status: at once if all ends have reported; otherwise after the grace
 * period, and for a silent node not before it is marked as lost, so that its links get that status.
 */
export async function settlePhase(step: Step): Promise<boolean> {
  const { tx, key, run, seats } = step;
  const ends = Math.max(run.plan?.ends_at_ms ?? 0, run.returned_ms ?? 0);
  const silent = await selectSilentEnds(tx, key, run.sequence);
  const awaited = silent.flatMap((node) => seats[node] ?? []).filter(isLive);
  if (awaited.length > 0 && run.now_ms < ends + graceMs) return false;
  if (awaited.some((seat) => seat.seen_ms < (run.plan?.ends_at_ms ?? 0))) return false;
  await settleLinks(step, { from: 0, through: run.sequence });
  return true;
}

/**
 * Sets the final status of every slot of these plans from the reports of its ends. If a run ends early, slots without
 * reports that had not ended get no status: they were cut short, which is not a failure.
 */
export async function settleLinks(step: Step, plans: { from: number; through: number }): Promise<void> {
  const { tx, key, run } = step;
  const lost = new Set(lostSeats(step));
  const isOver = (row: LinkRow): boolean => (row.starts_at?.getTime() ?? 0) + (row.slot_ms ?? 0) <= run.now_ms;
  const isSpokenOf = (row: LinkRow): boolean => row.source_report !== null || row.target_report !== null;
  const open = (await lockUnsettled(tx, key, plans)).filter(
    (row) => isOver(row) || isSpokenOf(row) || hasLostEnd(row, lost),
  );
  const failed = lost.size > 0 ? await lockFailedOf(tx, key, { lost: [...lost], from: plans.from - SILENT_PLANS }) : [];
  const settled = [...open, ...failed].map((row) => ({
    link: row.link,
    attempt: row.attempt,
    source_report: null,
    target_report: null,
    status: hasLostEnd(row, lost) ? ('node_lost' as const) : mergeReports({ ...row, status: null }).status,
  }));
  await updateReported(tx, key, settled);
}

const hasLostEnd = (row: LinkRow, lost: ReadonlySet<number>): boolean =>
  (row.source_report === null && lost.has(row.source)) || (row.target_report === null && lost.has(row.target));
