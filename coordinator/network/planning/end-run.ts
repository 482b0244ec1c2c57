import { lockAllLinks, updateVerdicts } from '../queries/links.ts';
import { markRunEnded } from '../queries/runs.ts';
import { summariseRun } from '../results/summarise-run.ts';
import type { RunOutcome } from '../run-row.ts';
import { judgeLinks } from './judge-links.ts';
import type { Step } from './step.ts';

/**
 * Ends a locked run: computes verdicts and a summary of what was measured, and deletes the secret. There is no summary
 * before a graph is chosen.
 */
export async function endRun(step: Step, outcome: RunOutcome, message: string | null): Promise<void> {
  const { tx, key, run } = step;
  if (run.graph === null) return markRunEnded(tx, key, { outcome, message, summary: null });
  // Lock before reading: a report is either in the summary, or arrives after the end and is dropped.
  await lockAllLinks(tx, key);
  const { judgement, input } = await judgeLinks(step);
  const summary = summariseRun({ ...input, judgement });
  await updateVerdicts(
    tx,
    key,
    [...(judgement?.links ?? [])].map(([link, verdict]) => ({ link, ...verdict })),
  );
  await markRunEnded(tx, key, {
    outcome: outcome === 'completed' && summary.total_links_tested === 0 ? 'failed' : outcome,
    message: outcome === 'completed' && summary.total_links_tested === 0 ? 'No link could be measured.' : message,
    summary,
  });
}
