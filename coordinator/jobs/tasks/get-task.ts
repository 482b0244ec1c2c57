import { gpuPeak } from '../../figures/gpu-peaks.ts';
import type { Footprint } from '../../contract/footprint.ts';
import type { TaskDetail } from '../../contract/task.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { withDisplayNames } from '../display-names.ts';
import { reportUrl } from '../../platform/artifacts/report-url.ts';
import { footprintOf } from '../footprint/footprint-of.ts';
import { siteOf } from '../footprint/site-of.ts';
import { inventoryOnWire } from './inventory-on-wire.ts';
import {
  findTask,
  selectKeptAside,
  selectResults,
  selectResultSizes,
  type KeptAsideRow,
  type ResultRow,
  type TaskDetailRow,
} from './queries.ts';
import { parsedResults, resultsByBenchmark } from './result-on-wire.ts';

/** One machine of a job of the caller. Throws `not_found`, also for another customer's task. */
export async function getTask(
  context: Context,
  input: { taskId: string; displayNames: boolean },
): Promise<TaskDetail | Record<string, unknown>> {
  const task = await findTask(context.sql, { id: input.taskId, customerId: visibleCustomer(context.actor) });
  if (!task) throw notFound('Task');
  const [sizes, aside] = await Promise.all([
    selectResultSizes(context.sql, [task.id]),
    selectKeptAside(context.sql, task.id),
  ]);
  const results = await selectResults(
    context.sql,
    sizes.map((result) => result.id),
  );
  const detail: TaskDetail = {
    id: task.id,
    job_id: task.job_id,
    state: task.state,
    failed_message: task.failed_message,
    pdf_report_url: await reportUrl(context, task),
    manufacturer_gpu_spec: manufacturerSpec(task),
    company_name: task.company_name,
    machine_id: task.machine_uuid,
    configuration_id: task.config_id,
    start_time: task.started_at?.toISOString() ?? null,
    end_time: task.ended_at?.toISOString() ?? null,
    inventory: task.inventory === null ? null : inventoryOnWire(task.inventory, task.gpu_model),
    benchmark_results: parsedResults(await resultsByBenchmark(context, results, 'completed_at')),
    footprint: await taskFootprint(context, task, results),
    kept_aside: keptAsideOnWire(aside),
  };
  return input.displayNames ? withDisplayNames(detail) : detail;
}

async function taskFootprint(
  context: Context,
  { inventory, gpu_model, ended_at }: TaskDetailRow,
  results: readonly ResultRow[],
): Promise<Footprint | null> {
  const quickMark = results.find(({ benchmark_id }) => benchmark_id === 'quick_mark')?.results ?? null;
  if (quickMark === null) return null;
  const site = await siteOf(context, {
    location: inventory?.location ?? null,
    model: gpu_model,
    memoryBytes: inventory?.gpu_info[0]?.total_memory ?? null,
    endedAt: ended_at,
  });
  return footprintOf(site, JSON.parse(quickMark));
}

/** The maker's published figures; null for a CPU and for a model we have none for. */
function manufacturerSpec({ gpu_vendor, gpu_model }: TaskDetailRow): TaskDetail['manufacturer_gpu_spec'] {
  const peak = gpu_model === null || gpu_vendor === 'cpu' ? null : gpuPeak(gpu_model);
  if (!peak) return null;
  const { compute_capability, memory_bandwidth_gbs, fp32_tflops } = peak;
  return { compute_capability, memory_bandwidth: memory_bandwidth_gbs, fp32_tflops };
}

/** Row -> wire; null if every result counts. */
function keptAsideOnWire(rows: readonly KeptAsideRow[]): TaskDetail['kept_aside'] {
  if (rows.length === 0) return null;
  const what = rows.length === 1 ? '1 more result' : `${rows.length} more results`;
  return {
    count: rows.length,
    warning: `${what} came after the end of this task; the first one of each benchmark counts, these are not used.`,
    results: rows.map((row) => ({ ...row, received_at: row.received_at.toISOString() })),
  };
}
