import type { Queryable } from '../../platform/db/client.ts';

export interface MeasuredRow {
  task_id: string;
  location: string | null;
  gpu_model: string | null;
  /** bytes of its first device */
  memory_bytes: number | null;
  ended_at: Date | null;
  simulated: boolean;
  /** the few figures of QuickMark that a footprint is made of; the rest of a large result stays in the database */
  measured: unknown;
}

/** The newest QuickMark of each node of a job. */
export async function selectMeasured(sql: Queryable, jobId: string): Promise<MeasuredRow[]> {
  return sql<MeasuredRow[]>`
    select task.id as task_id, inventory->>'location' as location, gpu_model,
      (inventory->'gpu_info'->0->>'total_memory')::float8 as memory_bytes, task.ended_at, task.simulated,
      jsonb_build_object(
        'test_results', (
          select jsonb_agg(jsonb_build_object('gpu_id', device->'gpu_id', 'gpu_model', device->'gpu_model',
            'simulated', device->'simulated', 'energy_consumption_wh', device->'energy_consumption_wh',
            'unavailable', device->'unavailable', 'verdicts', device->'verdicts'))
          from jsonb_array_elements(newest.results->'test_results') device),
        'aggregate_results', jsonb_build_object(
          'bf16_tflops', newest.results->'aggregate_results'->'bf16_tflops',
          'fp16_tflops', newest.results->'aggregate_results'->'fp16_tflops',
          'fp32_tflops', newest.results->'aggregate_results'->'fp32_tflops',
          'power_consumption_watts', newest.results->'aggregate_results'->'power_consumption_watts')) as measured
    from task cross join lateral (
      select results from benchmark_result
      where task_id = task.id and benchmark_id = 'quick_mark' and not kept_aside
      order by epoch desc, attempt desc, benchmark_result.id desc limit 1
    ) newest
    where task.job_id = ${jobId} and task.deleted_at is null and jsonb_typeof(newest.results->'test_results') = 'array'
    order by task.id`;
}
