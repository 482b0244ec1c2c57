import { lockLinks, updateReported, type ReportedLink, type LinkRow, type SlotReport } from '../queries/links.ts';
import { readRun } from '../queries/runs.ts';
import type { Refused, Reporter } from '../report-links.ts';
import { mergeReports } from '../results/merge-reports.ts';
import { parseSlotId, slotId } from '../slot-key.ts';

/** Stores one end's report of each slot; once both ends have reported, the status is set in the same transaction. */
export async function storeSlots(
  { context, key, node }: Reporter,
  reports: readonly SlotReport[],
): Promise<{ refused: Refused; news: boolean }> {
  const refused: Refused = new Map();
  if (reports.length === 0) return { refused, news: false };
  const named = reports.flatMap((report) => parseSlotId(report.id) ?? []);
  await context.sql.begin(async (tx) => {
    const rows = new Map<string, LinkRow>();
    for (const row of await lockLinks(tx, key, named)) {
      rows.set(slotId(row), row);
      // Acknowledged and ignored: a late report of the first slot.
      if (row.repeated) rows.set(slotId({ ...row, repeated: false }), row);
    }
    // Read under the rows' locks, which ending the run takes as well, so what is stored here is in its summary.
    const run = await readRun(tx, key);
    const told = new Map<string, ReportedLink>();
    for (const report of reports) {
      const row = rows.get(report.id);
      if (!row || (row.source !== node && row.target !== node))
        refused.set(report.id, 'no slot of this node has that id');
      else if (report.id === slotId(row) && run?.state !== 'ended' && !told.has(report.id) && isNew(row, node))
        told.set(report.id, withReport(row, node, report));
    }
    await updateReported(tx, key, [...told.values()]);
  });
  return { refused, news: false };
}

const isNew = (row: LinkRow, node: number): boolean =>
  (row.source === node ? row.source_report : row.target_report) === null;

/** A status that was set while this report was missing is computed again. */
function withReport(row: LinkRow, node: number, report: SlotReport): ReportedLink {
  const own = row.source === node ? { source_report: report } : { target_report: report };
  const told = { ...row, ...own, status: null };
  const isWhole = told.source_report !== null && told.target_report !== null;
  return {
    link: row.link,
    attempt: row.attempt,
    source_report: null,
    target_report: null,
    ...own,
    status: isWhole || row.status !== null ? mergeReports(told).status : null,
  };
}
