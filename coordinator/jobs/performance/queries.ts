import type { Queryable } from '../../platform/db/client.ts';
import { one } from '../../platform/db/rows.ts';
import type { ModelFigures, PeerFigures } from './node-figures.ts';

/** Newest results looked at for peers, and so the most machines in a sample. */
const NEWEST_RESULTS = 5000;

/**
 * The newest figures of every other machine of the model, whoever owns it: medians and percentiles of them are all that
 * leaves the coordinator. Of bf16 the newest by `bf16_engine`, and whether there is only one by another. Results of
 * `exceptJob` do not count, or a large job would be its own yardstick.
 */
export async function selectPeers(
  sql: Queryable,
  { gpu_vendor, gpu_model, bf16_engine }: Pick<ModelFigures, 'gpu_vendor' | 'gpu_model' | 'bf16_engine'>,
  exceptJob: string,
): Promise<PeerFigures[]> {
  return sql<PeerFigures[]>`
    with newest as (
      select * from scoreboard_entry
      where gpu_vendor = ${gpu_vendor} and gpu_model = ${gpu_model} and job_id <> ${exceptJob}
      order by measured_at desc limit ${NEWEST_RESULTS}
    ), same_engine as (
      select distinct on (machine_uuid) machine_uuid, bf16_tflops from newest
      where bf16_tflops is not null and bf16_engine is not distinct from ${bf16_engine}
      order by machine_uuid, measured_at desc
    )
    select distinct on (newest.machine_uuid) same_engine.bf16_tflops, memory_bandwidth_gbs,
      host_to_device_bandwidth_gbs, device_to_host_bandwidth_gbs,
      (newest.bf16_tflops is not null and same_engine.bf16_tflops is null) as bf16_by_other_engine
    from newest left join same_engine using (machine_uuid)
    order by newest.machine_uuid, measured_at desc`;
}

export async function upsertScoreboardEntry(
  sql: Queryable,
  entry: ModelFigures & { taskId: string; jobId: string; machineUuid: string; measuredAt: Date },
): Promise<void> {
  const { figures } = entry;
  // The mean over both engines is no figure, and none has an engine.
  const engine = figures.bf16_tflops === null || entry.bf16_engine === 'mixed' ? null : entry.bf16_engine;
  await sql`
    insert into scoreboard_entry (task_id, job_id, machine_uuid, gpu_vendor, gpu_model, device_count, bf16_tflops,
      bf16_engine, memory_bandwidth_gbs, host_to_device_bandwidth_gbs, device_to_host_bandwidth_gbs, measured_at)
    values (${entry.taskId}, ${entry.jobId}, ${entry.machineUuid}, ${entry.gpu_vendor}, ${entry.gpu_model},
      ${entry.device_count}, ${figures.bf16_tflops}, ${engine}, ${figures.memory_bandwidth_gbs},
      ${figures.host_to_device_bandwidth_gbs}, ${figures.device_to_host_bandwidth_gbs}, ${entry.measuredAt})
    on conflict (task_id) do update
      set gpu_vendor = excluded.gpu_vendor, gpu_model = excluded.gpu_model, device_count = excluded.device_count,
        bf16_tflops = excluded.bf16_tflops, bf16_engine = excluded.bf16_engine,
        memory_bandwidth_gbs = excluded.memory_bandwidth_gbs,
        host_to_device_bandwidth_gbs = excluded.host_to_device_bandwidth_gbs,
        device_to_host_bandwidth_gbs = excluded.device_to_host_bandwidth_gbs, measured_at = excluded.measured_at`;
}

export async function deleteScoreboardEntry(sql: Queryable, taskId: string): Promise<void> {
  await sql`delete from scoreboard_entry where task_id = ${taskId}`;
}

/** Place of a job among those of its group that are not deleted, itself included. */
export async function rankOf(
  sql: Queryable,
  { group, index }: { group: string; index: number },
): Promise<{ of: number; above: number; notAbove: number }> {
  const row = one(
    await sql<{ of: number; above: number }[]>`
    select count(*)::int as of, (count(*) filter (where scoreboard_index > ${index}))::int as above
    from job where scoreboard_group = ${group} and deleted_at is null`,
  );
  const { of, above } = row;
  return { of, above, notAbove: of - above };
}
