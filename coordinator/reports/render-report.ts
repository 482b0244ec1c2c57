import { reportData } from '../jobs/report-data.ts';
import { attachReport, holdJob } from '../lifecycle/job-rows.ts';
import { insertArtifact } from '../platform/artifacts/queries.ts';
import { storeFile } from '../platform/artifacts/store-file.ts';
import type { Context } from '../platform/context.ts';
import { DomainError } from '../platform/errors.ts';
import type { WorkHandler } from '../platform/work-queue/run-work-queue.ts';
import type { ClaimedWork, WorkKind } from '../platform/work-queue/queries.ts';
import { renderInWorker } from './render-in-worker.ts';
import type { PackedReport } from './unpack-report.ts';

/**
 * Work handler of `job_report` and `task_report`: data, PDF, artifact, link from the job or task. Can run twice: equal
 * data gives the same file, and the newest run's row counts. If the subject was deleted meanwhile, that is not a failure.
 */
export async function renderReport(context: Context, item: ClaimedWork, signal?: AbortSignal): Promise<void> {
  const kind = item.kind === 'job_report' ? 'job' : 'task';
  const report: PackedReport | null = await reportData(context, { kind, id: item.subject_id }).catch(nullIfGone);
  if (!report) return;
  const pdf = await renderInWorker(report, signal);
  const stored = await storeFile(context, pdf, { contentType: 'application/pdf', extension: 'pdf' });
  const artifact = {
    id: context.newId(),
    job_id: report.job.id,
    customer_id: report.customer.id,
    kind: item.kind,
    storage_key: stored.key,
    file_name: `gpumark-${kind}-${item.subject_id}.pdf`,
    content_type: 'application/pdf',
    sha256: stored.sha256,
    size_bytes: stored.sizeBytes,
    created_at: context.now(),
  };
  await context.sql.begin(async (tx) => {
    if (!(await holdJob(tx, artifact.job_id))) return;
    await insertArtifact(tx, artifact);
    await attachReport(tx, { kind, id: item.subject_id, artifactId: artifact.id });
  });
  context.note({ report_bytes: stored.sizeBytes });
}

function nullIfGone(error: unknown): null {
  if (error instanceof DomainError && error.kind === 'not_found') return null;
  throw error;
}

/** What the work queue runs, by kind. */
export const workHandlers: Record<WorkKind, WorkHandler> = { job_report: renderReport, task_report: renderReport };
