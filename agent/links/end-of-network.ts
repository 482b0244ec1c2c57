import { ExitError } from '../run/exit-error.ts';
import type { RunContext } from '../run/run-context.ts';
import type { NetworkSummary } from '../run/run-summary.ts';
import type { ConversationEnd } from './follow-run.ts';

/** The coordinator's final errors, explained for the person at this node. */
const REFUSALS: Readonly<Record<string, string>> = {
  NETWORK_STARTED: 'it had started before this node joined; the other nodes measure without it',
  STALE_EPOCH: 'another session has taken over this task',
};

/**
 * Records the end of the run in the summary and the warnings, and prints it. A problem that only this node has seen
 * becomes a warning of the job; one that the coordinator reported is already known there.
 */
export function endOfNetwork(
  context: RunContext,
  summary: NetworkSummary,
  end: ConversationEnd | { kind: 'failed'; error: unknown },
): void {
  const { record, stop } = context;
  if (end.kind === 'ended') Object.assign(summary, { outcome: end.outcome, message: end.message });
  else if (stop.by !== null) Object.assign(summary, { outcome: 'aborted', message: stop.message ?? 'stopped' });
  else {
    Object.assign(summary, { outcome: end.kind === 'refused' ? 'skipped' : 'failed', message: messageOf(end) });
    record.warnings.push(`cluster_network: ${summary.message ?? end.kind}`);
    if (end.kind === 'runner-died') record.network_failure = failureOf(end.error);
  }
  if (summary.reports_undelivered > 0)
    record.warnings.push(`cluster_network: ${summary.reports_undelivered} reports of links could not be delivered`);
  say(context, summary);
  // The figures are computed by the coordinator.
  const state = summary.outcome === 'aborted' ? 'failed' : summary.outcome;
  context.emit({ type: 'measurement', benchmark_id: 'cluster_network', state, results: null });
}

function say({ emit, record }: RunContext, { outcome, message, reports_undelivered: lost }: NetworkSummary): void {
  const isGood = outcome === 'completed';
  const words = message === null ? '' : `: ${message}`;
  const text = isGood ? `cluster_network: measured${words}` : `cluster_network ${outcome}${words}`;
  emit({ type: 'step', step: 'measure', state: isGood ? 'done' : 'failed', message: text });
  if (!isGood) emit({ type: 'notice', level: 'warning', message: text, remedy: null });
  if (lost > 0) {
    const warning = `cluster_network: ${lost} reports of links could not be delivered`;
    emit({ type: 'notice', level: 'warning', message: warning, remedy: null });
  }
  if (isGood && record.job_url !== null)
    emit({ type: 'notice', level: 'info', message: `verdicts on nodes and links: ${record.job_url}`, remedy: null });
}

function messageOf(end: Exclude<ConversationEnd, { kind: 'ended' }> | { kind: 'failed'; error: unknown }): string {
  switch (end.kind) {
    case 'over':
      return 'stopped';
    case 'away':
      return `the coordinator has not answered for ${end.seconds} s after the last planned measurement`;
    case 'refused':
      return `${REFUSALS[end.error.code] ?? end.error.message} (${end.error.code})`;
    case 'runner-died':
      return end.error.message;
    case 'failed':
      return end.error instanceof Error ? end.error.message : String(end.error);
  }
}

const failureOf = (error: { message: string; remedy: string }): ExitError =>
  new ExitError('kernel', `cluster_network: ${error.message}`, error.remedy, error);
