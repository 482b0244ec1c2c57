import { Cache } from '../../platform/cache.ts';
import type { Queryable } from '../../platform/db/client.ts';

/** One figure over the GPUs of a job. */
export interface PerGpu {
  median: number | null;
  worst: number | null;
}

/** What the list of jobs shows of a job beside its row. */
export interface ListedJob {
  /** devices of the nodes whose inventory has arrived; null: none */
  gpus: number | null;
  /** they are processors */
  areProcessors: boolean;
  hasReport: boolean;
  /** null until the job has ended with results */
  figures: GpuFigures | null;
}

interface GpuFigures {
  bf16: PerGpu;
  memory: PerGpu;
  /** devices that have each figure */
  bf16_gpus: number;
  memory_gpus: number;
}

interface ListedRow {
  id: string;
  gpus: number | null;
  are_processors: boolean | null;
  has_report: boolean;
  /** the job's own result, and when it was written: a late one of a node replaces it */
  result_id: string | null;
  received_at: Date | null;
}

const MOST_KEPT = 8192;
const kept = new Cache<string, GpuFigures>(MOST_KEPT);

/** The jobs of one page of the list. The caller has checked who owns them. */
export async function selectListed(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, ListedJob>> {
  const rows = await sql<ListedRow[]>`
    select job.id, nodes.gpus, nodes.are_processors, job.report_artifact_id is not null as has_report,
      newest.id as result_id, newest.received_at
    from job left join lateral (
      select sum(gpu_count)::int as gpus, bool_and(gpu_vendor = 'cpu') as are_processors
      from task where task.job_id = job.id and deleted_at is null and gpu_count is not null
    ) nodes on true
    left join lateral (
      select id, received_at from benchmark_result r
      where r.job_id = job.id and task_id is null and benchmark_id = 'quick_mark' and state = 'completed'
      order by id desc limit 1
    ) newest on true
    where job.id = any(${[...ids]}::int8[])`;
  const keyOf = ({ result_id: id, received_at: at }: ListedRow): string => `${id} ${at?.toISOString()}`;
  const unknown = rows.filter((row) => row.result_id !== null && kept.get(keyOf(row)) === undefined);
  const read = await selectPerGpu(
    sql,
    unknown.flatMap(({ result_id: id }) => id ?? []),
  );
  for (const row of unknown) {
    const figures = read.get(row.result_id ?? '');
    if (figures !== undefined) kept.set(keyOf(row), figures);
  }
  return new Map(
    rows.map((row) => [
      row.id,
      {
        gpus: row.gpus,
        areProcessors: row.are_processors === true,
        hasReport: row.has_report,
        figures: read.get(row.result_id ?? '') ?? kept.get(keyOf(row)) ?? null,
      },
    ]),
  );
}

interface PerGpuRow {
  id: string;
  bf16: number | null;
  bf16_worst: number | null;
  memory: number | null;
  memory_worst: number | null;
  bf16_gpus: number;
  memory_gpus: number;
}

/** From the lines of the devices in the job's own result, which has none of their details: at most 2,048 short ones. */
async function selectPerGpu(sql: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, GpuFigures>> {
  if (ids.length === 0) return new Map();
  const rows = await sql<PerGpuRow[]>`
    select r.id, of.*
    from benchmark_result r cross join lateral (
      select percentile_cont(0.5) within group (order by bf16_tflops) as bf16, min(bf16_tflops) as bf16_worst,
        percentile_cont(0.5) within group (order by memory_bandwidth_gbs) as memory,
        min(memory_bandwidth_gbs) as memory_worst, count(bf16_tflops)::int as bf16_gpus,
        count(memory_bandwidth_gbs)::int as memory_gpus
      from jsonb_to_recordset(r.results -> 'test_results') as device (bf16_tflops float8, memory_bandwidth_gbs float8)
    ) of
    where r.id = any(${[...ids]}::int8[])`;
  return new Map(
    rows.map((row) => [
      row.id,
      {
        bf16: { median: row.bf16, worst: row.bf16_worst },
        memory: { median: row.memory, worst: row.memory_worst },
        bf16_gpus: row.bf16_gpus,
        memory_gpus: row.memory_gpus,
      },
    ]),
  );
}
