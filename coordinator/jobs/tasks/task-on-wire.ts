import type { Task } from '../../contract/job.ts';
import type { Context } from '../../platform/context.ts';
import { knownOfTask } from '../../lifecycle/known-judgement.ts';
import { writeJson } from '../../platform/http/raw-json.ts';
import { reportUrl } from '../../platform/artifacts/report-url.ts';
import { selectResults, selectResultSizes, type ResultRow, type TaskRow } from './queries.ts';
import { resultsByBenchmark, type WireResult } from './result-on-wire.ts';

/** Bytes of results that are read at once while an answer is sent. */
const PIECE_BYTES = 512 * 1024;

/** One task of an answer and the results shown with it, none if the answer has no room for them. */
interface PlannedTask {
  row: TaskRow;
  resultIds: string[];
  bytes: number;
  truncated: boolean;
}

/** Which tasks keep their results in an answer with at most `mostBytes` of them: the first ones, each with all. Reads no body. */
export async function planTasks(
  { sql }: Pick<Context, 'sql'>,
  rows: readonly TaskRow[],
  mostBytes: number,
): Promise<PlannedTask[]> {
  const sizes = await selectResultSizes(
    sql,
    rows.map((row) => row.id),
  );
  const byTask = Map.groupBy(sizes, (result) => result.task_id);
  let left = mostBytes;
  return rows.map((row) => {
    const results = byTask.get(row.id) ?? [];
    const bytes = results.reduce((sum, result) => sum + result.size_bytes, 0);
    const truncated = bytes > left;
    // Once one is left out, so are all that follow: only the end of the answer lacks results.
    left = truncated ? -1 : left - bytes;
    return truncated
      ? { row, resultIds: [], bytes: 0, truncated }
      : { row, resultIds: results.map((result) => result.id), bytes, truncated };
  });
}

/** The elements of a JSON array of tasks, a few at a time, with their results as stored. */
export async function* taskPieces(context: Context, planned: readonly PlannedTask[]): AsyncGenerator<string, void> {
  let before = '';
  for (const some of inPieces(planned)) {
    const results = await selectResults(
      context.sql,
      some.flatMap((task) => task.resultIds),
    );
    const byTask = Map.groupBy(results, (result) => result.task_id);
    const tasks = await Promise.all(some.map((task) => taskOnWire(context, task, byTask.get(task.row.id) ?? [])));
    yield `${before}${tasks.map(writeJson).join(',')}`;
    before = ',';
  }
}

function inPieces(planned: readonly PlannedTask[]): PlannedTask[][] {
  const pieces: PlannedTask[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const task of planned) {
    if (bytes + task.bytes > PIECE_BYTES) {
      pieces.push([]);
      bytes = 0;
    }
    pieces.at(-1)?.push(task);
    bytes += task.bytes;
  }
  return pieces;
}

/** Rows -> wire without results. */
export const tasksOnWire = (context: Context, rows: readonly TaskRow[]): Promise<Task[]> =>
  Promise.all(rows.map(async (row) => ({ ...(await taskFacts(context, row)), benchmark_results: {} })));

async function taskOnWire(
  context: Context,
  { row, truncated }: PlannedTask,
  results: readonly ResultRow[],
): Promise<Omit<Task, 'benchmark_results'> & { benchmark_results: Record<string, WireResult> }> {
  return {
    ...(await taskFacts(context, row)),
    benchmark_results: await resultsByBenchmark(context, results, 'ended_at'),
    ...(truncated ? { truncated } : {}),
  };
}

async function taskFacts(context: Context, row: TaskRow): Promise<Omit<Task, 'benchmark_results'>> {
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
    judgement: knownOfTask(row),
  };
}
