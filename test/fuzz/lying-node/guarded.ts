import { rateOf } from './honest-moves.ts';
import { HONEST, ITEM } from './seats.ts';
import type { World } from './world.ts';

/**
 * All that only the honest nodes may change, as text: their tasks, leases and results, their seats and their ends of links, the
 * figures of the collective, and the other customer's job whole. The planner may lose a silent seat or settle a link without
 * anybody lying, so those columns are left out.
 */
export async function guarded({ test, honest, job, other }: World): Promise<string> {
  const tasks = [...honest, other.node].map((node) => node.taskId);
  const [row] = await test.platform.sql<{ whole: string }[]>`
    select concat_ws(E'\n',
      (select string_agg(to_jsonb(t)::text || to_jsonb(l)::text, E'\n' order by t.id)
        from task t join task_lease l on l.task_id = t.id where t.id = any(${tasks}::int8[])),
      (select string_agg(md5(r::text), ' ' order by r.id) from benchmark_result r where r.task_id = any(${tasks}::int8[])),
      (select string_agg((to_jsonb(n) - '{state,lost_at}'::text[])::text, E'\n' order by n.node)
        from network_node n where n.job_id = ${job.id} and n.node < ${HONEST}),
      (select string_agg(concat_ws(' ', k.link, k.attempt, case when k.source < ${HONEST} then md5(k.source_report::text) end,
          case when k.target < ${HONEST} then md5(k.target_report::text) end), ' ' order by k.link, k.attempt)
        from network_link k where k.job_id = ${job.id}
          and (k.source < ${HONEST} and k.source_report is not null or k.target < ${HONEST} and k.target_report is not null)),
      (select (collective -> 'result')::text from network_run where job_id = ${job.id} and item = ${ITEM}),
      (select to_jsonb(j)::text from job j where j.id = ${other.job.id}),
      (select concat_ws(' ', j.current_nodes, j.node_count, j.expires_at, j.deleted_at, j.token_id, j.benchmark_sequence)
        from job j where j.id = ${job.id})) as whole`;
  return row?.whole ?? '';
}

/** Sentences if the ended job shows another figure of an honest node than it has measured. */
export async function wrongFigures(world: World, figureOf: (seat: number) => number): Promise<string[]> {
  const { test, honest, job } = world;
  const { sql } = test.platform;
  const ids = honest.map((node) => node.taskId);
  const shown = await sql<{ task_id: string; bf16: number; state: string }[]>`
    select d ->> 'task_id' as task_id, (d ->> 'bf16_tflops')::float8 as bf16, task.state
    from benchmark_result r, jsonb_array_elements(r.results -> 'test_results') d
    join task on task.id = (d ->> 'task_id')::int8
    where r.job_id = ${job.id} and r.task_id is null and r.benchmark_id = 'quick_mark' and task.id = any(${ids}::int8[])`;
  const scored = await sql<{ task_id: string; bf16_tflops: number }[]>`
    select task_id, bf16_tflops from scoreboard_entry where task_id = any(${ids}::int8[])`;
  const sentences = honest.flatMap(({ taskId }, seat) => {
    const [line, ...more] = shown.filter((row) => row.task_id === taskId);
    const score = scored.find((row) => row.task_id === taskId)?.bf16_tflops;
    const right =
      more.length === 0 && line?.bf16 === figureOf(seat) && line.state === 'completed' && score === figureOf(seat);
    return right ? [] : [`node ${seat} measured ${figureOf(seat)}, shown ${JSON.stringify(line)}, ranked ${score}`];
  });
  return [...sentences, ...(await wrongRates(world))];
}

async function wrongRates({ test, job, phase }: World): Promise<string[]> {
  if (phase !== 'rounds') return [];
  const links = await test.platform.sql<{ source: number; target: number; source_gbps: number; target_gbps: number }[]>`
    select source, target, (source_report #>> '{received,gbps}')::float8 as source_gbps,
      (target_report #>> '{received,gbps}')::float8 as target_gbps
    from network_link where job_id = ${job.id} and attempt = 1 and source < ${HONEST}`;
  return links
    .filter(
      ({ source, target, source_gbps, target_gbps }) =>
        source_gbps !== rateOf(source) || (target < HONEST && target_gbps !== rateOf(target)),
    )
    .map((link) => `a link of honest nodes has other rates than they reported: ${JSON.stringify(link)}`);
}
