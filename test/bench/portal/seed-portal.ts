import { countMachines } from '../../../coordinator/background.ts';
import { ensureCarbon } from '../../../coordinator/carbon/store-editions.ts';
import { buildCurves } from '../../../coordinator/forward/build-curves.ts';
import { summariseRun } from '../../../coordinator/network/results/summarise-run.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { train } from '../../../coordinator/prediction/train.ts';
import { makeJob, Node, type MadeJob } from '../../coordinator/jobs/node.ts';
import { madeLink, madeNodes, runFacts } from '../../coordinator/network/results/made-run.ts';
import { storeRun } from '../../coordinator/network/results/stored-run.ts';
import { eightGpus } from '../../coordinator/portal/world.ts';
import { appOver, type TestApp } from '../../support/app-over.ts';
import { makeUser, type TestUser } from '../../support/client.ts';
import { insertCopies } from '../../support/insert-copies.ts';
import { seedTokens } from '../../support/seed-tokens.ts';

export const JOBS = 100_000;
export const OWNER = 'pages@bench.example';
/** The newest jobs, which have results of three nodes of eight GPUs, and links. */
const WHOLE_JOBS = 60;
/** Machines with a run on every tenth day. */
const OLD_MACHINES = 3;
const OLD_RUNS = 300;
const BIG_NODES = 256;
/** Samples kept with a figure: a node of eight GPUs then has some 280 KiB of JSON, as agents send it. */
const SAMPLES = 240;

/**
 * A company with 100,000 jobs of one year on 2,000 machines, 60 of them complete, one job of 256 nodes with all its
 * links; tokens, carbon and a price model. One run is uploaded as agents do, the others are copies of it.
 */
export async function seedPortal(context: Context, database: { sql: Sql; url: string }): Promise<void> {
  const { sql } = database;
  const { test, close } = await appOver(database, { logLevel: 'info' });
  try {
    const owner = await makeUser(test, {
      email: OWNER,
      company: 'Bench of pages',
      role: 'customer_admin',
      tier: 'enterprise',
    });
    const template = await oneRun(test, owner);
    await copyJobs(sql, template.id);
    await copyTasks(sql, template.id);
    await copyResults(sql, template.id);
    await copyLinks(sql, template.id);
    await bigJob(test, owner, template.id);
    await seedCompany(sql, owner);
    // The newest prices are from September.
    for await (const { day, curves } of buildCurves(test.context, { from: '2026-09-22', to: '2026-09-30' }))
      process.stderr.write(`bench: ${curves} curves of ${day}\n`);
  } finally {
    await close();
  }
  await seedTokens(sql, { last: new Date().toISOString().slice(0, 10), days: 90 });
  await ensureCarbon(context);
  const trained = await train(context);
  process.stderr.write(`bench: price model ${trained?.outcome ?? 'without votes'} ${trained?.why ?? ''}\n`);
  await countMachines(context);
  await sql`vacuum analyze`;
}

async function oneRun(test: TestApp, owner: TestUser): Promise<MadeJob> {
  const job = await makeJob(test, owner, {
    name: 'template',
    benchmarks: ['quick_mark', 'cluster_network'],
    node_count: 3,
    tags: ['nightly'],
  });
  const nodes = Array.from({ length: 3 }, (_, index) => new Node(test, job, `template-${index}`));
  for (const node of nodes) {
    await node.register();
    await node.beat();
  }
  await storeLinks(test, owner, job.id, 3, 'template');
  for (const [index, node] of nodes.entries()) {
    const answer = await node.results(node.result(withSamples(eightGpus(node.machineUuid, index))));
    if (answer.status !== 200) throw new Error(answer.text);
    await node.complete();
  }
  return job;
}

function withSamples(payload: ReturnType<typeof eightGpus>): ReturnType<typeof eightGpus> {
  const quickMark = payload.benchmark_results['quick_mark'] as { test_results: Record<string, unknown>[] };
  for (const device of quickMark.test_results)
    device['details'] = Object.fromEntries(
      Object.entries(device).flatMap(([metric, value]) =>
        typeof value === 'number' ? [[metric, detailOf(value)]] : [],
      ),
    );
  return payload;
}

function detailOf(value: number) {
  const samples = Array.from({ length: SAMPLES }, (_, n) =>
    Number((value * (1 + ((n * 7919) % 97) / 5000)).toFixed(6)),
  );
  const stats = {
    n: SAMPLES,
    min: value,
    max: value * 1.02,
    median: value * 1.01,
    p5: value,
    p95: value * 1.02,
    cv: 0.006,
  };
  return { value, unit: 'x', stats, samples };
}

async function storeLinks(test: TestApp, { customerId }: TestUser, jobId: string, n: number, name: string) {
  const seats = madeNodes(
    n,
    Array.from({ length: n }, (_, node) => ({ machine_uuid: `${name}-${node}`, hostname: `host-${name}-${node}` })),
  );
  const links = Array.from({ length: n }, (_, source) =>
    Array.from({ length: n - source - 1 }, (__, at) =>
      madeLink(n, { source, target: source + at + 1, forward: 19 + ((source * 31 + at) % 20) / 10 }),
    ),
  ).flat();
  const summary = summariseRun({
    run: runFacts({ nodes_expected: n }),
    nodes: seats,
    links,
    judgement: null,
    reach: null,
    collective: null,
  });
  await storeRun(test, { jobId, customerId, item: 1, nodes: seats, links, summary });
}

/** Ids of copies: jobs start here; tasks and results of the nodes 0, 1 and 2 are offset by a tenth of this. */
const FIRST_ID = '1700000000000000000';
const NODE_STEP = '10000000000000000';

async function copyJobs(sql: Sql, template: string): Promise<void> {
  const jobs = sql`
    select (jsonb_populate_record(t, jsonb_build_object('id', ${FIRST_ID}::int8 + n, 'name', 'bench-job-' || n,
      'tags', jsonb_build_array('team-' || n % 50, 'nightly'), 'token_id', md5(n::text), 'report_artifact_id', null,
      'node_count', 3 + n % 5, 'created_at', c, 'started_at', c + interval '20 s', 'expires_at', c + interval '24 h',
      'state', (array['completed', 'completed', 'completed_with_warnings', 'failed'])[1 + n % 4],
      'ended_at', c + interval '3 min'))).*
    from job t, generate_series(1, ${JOBS}::int) n, lateral (select now() - (${JOBS} + 1 - n) * interval '5 min') at (c)
    where t.id = ${template}`;
  await insertCopies(sql, 'job', jobs);
}

async function copyTasks(sql: Sql, template: string): Promise<void> {
  // Every job has one; the newest, which are complete, have all three.
  await sql`
    insert into task select (jsonb_populate_record(t, jsonb_build_object(
      'id', job.id + ${NODE_STEP}::int8 * (1 + node), 'job_id', job.id, 'report_artifact_id', null,
      'session_id', gen_random_uuid(), 'created_at', job.created_at, 'started_at', job.created_at,
      'ended_at', job.ended_at, 'machine_uuid', case when node = 0 and n % 100 < ${OLD_MACHINES}
        then 'old-' || n % 100 else 'machine-' || (n + node * 7) % 2000 end))).*
    from task t, lateral (select right(t.machine_uuid, 1)::int) seat (node), job,
      lateral (select (job.id - ${FIRST_ID}::int8)::int) copy (n)
    where t.job_id = ${template} and job.name like 'bench-job-%' and (node = 0 or n > ${JOBS - WHOLE_JOBS}::int)`;
  await sql`
    insert into scoreboard_entry select (jsonb_populate_record(e, jsonb_build_object(
      'task_id', task.id, 'job_id', task.job_id, 'machine_uuid', task.machine_uuid, 'measured_at', task.ended_at,
      'bf16_tflops', e.bf16_tflops * (0.9 + task.id % 200 / 1000.0)))).*
    from scoreboard_entry e join task origin on origin.id = e.task_id and origin.machine_uuid = 'template-0',
      task join job on job.id = task.job_id and job.name like 'bench-job-%'
    where e.job_id = ${template}`;
}

const RESULT_COLUMNS = `id, job_id, task_id, benchmark_id, attempt, result_key, state, started_at, ended_at, config,
  results, epoch, received_at, item`;

/** For complete jobs, and for the newest runs of old machines. */
async function copyResults(sql: Sql, template: string): Promise<void> {
  await sql`
    insert into benchmark_result (${sql.unsafe(RESULT_COLUMNS)})
    select task.id, task.job_id, task.id, r.benchmark_id, r.attempt, encode(sha256(task.id::text::bytea), 'hex'), r.state,
      task.created_at, task.ended_at, r.config, r.results, r.epoch, task.ended_at, r.item
    from benchmark_result r join task origin on origin.id = r.task_id
      join (
        select task.*, row_number() over (partition by machine_uuid order by created_at desc) as newest,
          (task.id - task.job_id) / ${NODE_STEP}::int8 - 1 as node, task.job_id - ${FIRST_ID}::int8 as n
        from task where job_id between ${FIRST_ID}::int8 and ${FIRST_ID}::int8 + ${JOBS}::int
      ) task on right(origin.machine_uuid, 1)::int = node
    where r.job_id = ${template} and r.benchmark_id = 'quick_mark'
      and (n > ${JOBS - WHOLE_JOBS}::int or task.machine_uuid like 'old-%' and newest <= ${OLD_RUNS}::int)`;
}

async function copyLinks(sql: Sql, template: string): Promise<void> {
  const whole = sql`select id from job where id > ${FIRST_ID}::int8 + ${JOBS - WHOLE_JOBS}::int
    and id <= ${FIRST_ID}::int8 + ${JOBS}::int`;
  await sql`
    insert into network_run select (jsonb_populate_record(r, jsonb_build_object('job_id', whole.id))).*
    from network_run r, (${whole}) whole where r.job_id = ${template}`;
  await sql`
    insert into network_node select (jsonb_populate_record(r, jsonb_build_object('job_id', whole.id,
      'task_id', whole.id + ${NODE_STEP}::int8 * (1 + r.node)))).*
    from network_node r, (${whole}) whole where r.job_id = ${template}`;
  // Generated columns cannot be inserted.
  const given = await sql<{ name: string }[]>`
    select attname as name from pg_attribute
    where attrelid = 'network_link'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`;
  const columns = sql(given.map(({ name }) => name));
  await sql`
    insert into network_link (${columns})
    select ${columns} from (
      select (jsonb_populate_record(l, jsonb_build_object('job_id', whole.id))).*
      from network_link l, (${whole}) whole where l.job_id = ${template}) copy`;
}

/** All 32,640 links, and the results of 256 nodes of eight GPUs. */
async function bigJob(test: TestApp, owner: TestUser, template: string): Promise<void> {
  const { sql } = test.platform;
  const big = await makeJob(test, owner, {
    name: 'big',
    benchmarks: ['quick_mark', 'cluster_network'],
    node_count: BIG_NODES,
  });
  await storeLinks(test, owner, big.id, BIG_NODES, 'big');
  await sql`
    update task set state = 'completed', started_at = task.created_at, ended_at = task.created_at + interval '1 min',
      inventory = o.inventory, gpu_vendor = o.gpu_vendor, gpu_model = o.gpu_model, gpu_count = o.gpu_count
    from task o where o.job_id = ${template} and o.machine_uuid = 'template-0' and task.job_id = ${big.id}`;
  await sql`
    insert into benchmark_result (${sql.unsafe(RESULT_COLUMNS)})
    select task.id, task.job_id, task.id, r.benchmark_id, r.attempt, encode(sha256(task.id::text::bytea), 'hex'), r.state,
      task.created_at, task.ended_at, r.config, r.results, r.epoch, task.ended_at, r.item
    from task, benchmark_result r join task o on o.id = r.task_id and o.machine_uuid = 'template-0'
    where task.job_id = ${big.id} and r.job_id = ${template} and r.benchmark_id = 'quick_mark'`;
  await sql`
    update job set state = 'completed', current_nodes = ${BIG_NODES}, started_at = job.created_at,
      ended_at = job.created_at + interval '1 min', gpu_models = o.gpu_models, quick_mark_aggregate = o.quick_mark_aggregate
    from job o where o.id = ${template} and job.id = ${big.id}`;
}

/** Events, members and applications of a long-standing company. */
async function seedCompany(sql: Sql, { userId, customerId }: TestUser): Promise<void> {
  await sql`
    insert into audit_event (id, at, action, customer_id, actor_kind, actor_id, subject, request_id)
    select 1600000000000000000 + n, now() - (100001 - n) * interval '5 min', (array['sign_in', 'job_created'])[1 + n % 2],
      ${customerId}, 'user', ${userId}, 'somebody', md5(n::text)
    from generate_series(1, 100000) n`;
  await sql`
    insert into user_account select (jsonb_populate_record(u, jsonb_build_object('id', 1600000000000000000 + n,
      'email', 'member-' || n || '@bench.example'))).*
    from user_account u, generate_series(1, 200) n where u.id = ${userId}`;
  // The token index is granted to individual customers.
  await sql`
    insert into customer_terms (customer_id, products, token_index_tokens, token_index_versions, updated_at)
    select ${customerId}::int8, array_append(products, 'token-index'), '{expenditure}', '{v1}', now()
    from tier_terms where tier = 'enterprise'`;
}
