import { graceMs } from '../network-times.ts';
import { lockFailedOf, lockUnsettled, selectSilentEnds, updateReported, type LinkRow } from '../queries/links.ts';
import { mergeReports } from '../results/merge-reports.ts';
import { isLive } from '../run-row.ts';
import { lostSeats, type Step } from './step.ts';

/** A node may have been silent for a lease before it is known to be lost, and plans are longer than a third of that. */
const SILENT_PLANS = 3;

/**
 * The end of a phase. True once every slot has its status: at once where all ends have spoken; else after the grace, and
 * for a node that has fallen silent not before it is known to be lost, so that its links say so.
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
 * Gives every slot of these plans its status from what its ends have said; the time to say more is over. Where a run ends
 * before its time, slots that nobody spoke of and that were not over get none: they were cut short, and nobody failed.
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
