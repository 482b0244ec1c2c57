import type { Task } from '../../contract/job.ts';
import type { Context } from '../../platform/context.ts';
import { reportUrl } from '../report-url.ts';
import { selectResults, type ResultRow, type TaskRow } from './queries.ts';
import { resultsByBenchmark } from './result-on-wire.ts';

/** Rows -> wire, with the newest result of each benchmark where `withResults` says so. */
export async function tasksOnWire(context: Context, rows: readonly TaskRow[], withResults: boolean): Promise<Task[]> {
  const results = withResults
    ? await selectResults(
        context.sql,
        rows.map((row) => row.id),
      )
    : [];
  const byTask = Map.groupBy(results, (result) => result.task_id);
  return Promise.all(rows.map((row) => taskOnWire(context, row, byTask.get(row.id) ?? [])));
}

async function taskOnWire(context: Context, row: TaskRow, results: readonly ResultRow[]): Promise<Task> {
  return {
    id: row.id,
    job_id: row.job_id,
    machine_uuid: row.machine_uuid,
    machine_ip: row.machine_ip,
    state: row.state,
    failed_message: row.failed_message,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    gpu_model: row.gpu_model,
    gpu_count: row.gpu_count,
    pdf_report_url: await reportUrl(context, row),
    benchmark_results: resultsByBenchmark(results, 'ended_at'),
  };
}
