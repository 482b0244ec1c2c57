import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { connectDatabase } from '../../coordinator/platform/db/client.ts';
import { healthyFabric } from '../coordinator/network/fabric.ts';
import { SimulatedAgent, type Post } from '../coordinator/network/simulated-agent.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { layNextVersion } from '../support/next-version.ts';
import { until } from '../support/until.ts';
import { createUser } from './coordinator-process.ts';
import { jobClient } from './job-client.ts';
import { ProtocolNode } from './protocol-node.ts';
import { startReplicas } from './replicas.ts';

const user = { email: 'replicas@example.com', password: 'correct horse battery' };
const BEAT_MS = 5000;
/** quick_mark is put before cluster_network */
const ITEM = 1;

export interface UpgradeFigures {
  replicas: number;
  kills: number;
  links: number;
  results: number;
  reports: number;
  seconds: number;
}

/**
 * A whole job of `nodes` simulated nodes with cluster_network through a balancer without sticky sessions, while each of three
 * coordinators in turn is killed (-9) and comes back as the next release, with a migration of its own. Throws unless nothing
 * was lost and nothing is there twice.
 */
export async function rollThroughJob(
  t: Lifetime,
  { nodes, slotSeconds, rounds = 1 }: { nodes: number; slotSeconds: number; rounds?: number },
): Promise<UpgradeFigures> {
  const began = performance.now();
  const folder = await makeDataDir(tmpdir());
  t.after(() => removeDataDir(folder));
  const next = await layNextVersion(folder);
  const replicas = await startReplicas(t, folder, 3);
  const { baseUrl, databaseUrl } = replicas;
  await createUser(replicas, user);
  const customer = await untilDone(() => jobClient(baseUrl, user));
  const config = { graph: 'full', slot_seconds: slotSeconds, timeout: 300, collective: 'off' };
  const job = await customer.createJob({
    benchmarks: [{ benchmark_id: 'cluster_network', config }],
    node_count: nodes,
  });
  const dispatcher = new Agent({ connections: 4 * nodes });
  t.after(() => dispatcher.destroy());
  const members = Array.from({ length: nodes }, () => new ProtocolNode(baseUrl, job.token));
  for (const member of members) await untilStatus(200, () => member.register());
  const beating = new AbortController();
  t.after(async () => beating.abort());
  for (const member of members) void beat(member, beating.signal);

  const startedAt = new Date();
  const early = members.slice(0, 1);
  for (const member of early) await untilStatus(200, () => member.results(member.quickMark(job.id, startedAt)));

  const fabric = healthyFabric();
  const agents = members.map(
    ({ taskId, epoch, taskSecret }) =>
      new SimulatedAgent({
        post: postTo(baseUrl, job.token, taskSecret ?? '', dispatcher),
        identity: { taskId, epoch, item: ITEM },
        fabric,
      }),
  );
  const runs = Promise.all(agents.map((agent) => agent.run()));
  let kills = 0;
  const rolling = (async () => {
    await until('the first slots', () => agents.some((agent) => agent.slots.size > 0));
    for (let round = 0; round < rounds; round += 1)
      for (const at of [0, 1, 2]) {
        await replicas.replace(at, next);
        kills += 1;
      }
  })();
  // Other results come in while they fall.
  await Promise.all(
    members.slice(1).map((member) => untilStatus(200, () => member.results(member.quickMark(job.id, startedAt)))),
  );
  await Promise.all([runs, rolling]);
  for (const member of members) await untilStatus(200, () => member.complete());
  const ended = await untilDone(() => jobClient(baseUrl, user).then((again) => again.waitForReport(job.id)));
  beating.abort();

  const pairs = (nodes * (nodes - 1)) / 2;
  const sql = connectDatabase({ url: databaseUrl, max: 1 });
  t.after(() => sql.end());
  const one = async <T>(rows: Promise<readonly T[]>): Promise<T> => {
    const [row] = await rows;
    assert.ok(row);
    return row;
  };
  const links = await one(sql<{ links: number; pairs: number; ok: number }[]>`
    select count(*)::int as links, count(distinct (source, target))::int as pairs,
      (count(*) filter (where status = 'ok'))::int as ok
    from network_link where job_id = ${job.id} and attempt = 1 and phase <> 'ring'`);
  assert.deepEqual(links, { links: pairs, pairs, ok: pairs }, 'every link once, and all were measured');
  const told = new Set(agents.flatMap((agent) => [...agent.slots.keys()]));
  for (const agent of agents)
    assert.deepEqual(
      [...agent.slots.keys()].filter((id) => !agent.acked.has(id)),
      [],
      'every report was acknowledged',
    );
  assert.equal(told.size, pairs, 'the plan all nodes were told of is one');
  const results = ended.tasks.filter((task) => task.benchmark_results['quick_mark']?.state === 'completed').length;
  assert.equal(results, nodes, 'every result that was acknowledged is there');
  const repeat = await untilStatus(200, () =>
    (members[0] as ProtocolNode).results((members[0] as ProtocolNode).quickMark(job.id, startedAt)),
  );
  assert.equal(repeat.body['duplicate'], true, 'a result sent again is known to be the same');
  assert.match(ended.state, /^completed/);
  await until(
    'all reports',
    async () => (await sql`select from work_item where state in ('queued', 'running')`).count === 0,
  );
  // A report that is not made within its 60 s, as on a busy machine, is begun again; none is there twice for that.
  const reports = await sql<{ kind: string; subject_id: string; state: string }[]>`
    select kind, subject_id, state from work_item order by kind`;
  assert.ok(reports.some(({ kind }) => kind === 'job_report'));
  assert.deepEqual(
    reports.filter(({ state }) => state !== 'done'),
    [],
    'every report was made',
  );
  const files = await one(sql<{ made: number; subjects: number }[]>`
    select count(*)::int as made, count(distinct file_name)::int as subjects from artifact where kind <> 'raw_result'`);
  assert.equal(files.made, files.subjects, 'no report is there twice');
  assert.equal((await customer.download(ended.pdf_report_url ?? '')).subarray(0, 5).toString(), '%PDF-');
  const schema = await one(sql<{ name: string }[]>`select name from schema_migration order by number desc limit 1`);
  assert.match(schema.name, /next-release/, 'the next release has migrated');
  const seconds = (performance.now() - began) / 1000;
  return { replicas: 3, kills, links: pairs, results, reports: files.made, seconds };
}

function postTo(baseUrl: string, token: string, secret: string, dispatcher: Agent): Post {
  return async (path, body) => {
    const answer = await request(`${baseUrl}${path}`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-task-secret': secret },
      body: JSON.stringify(body),
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
}

async function beat(member: ProtocolNode, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await member.heartbeat('measuring').catch(() => undefined);
    await delay(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** As an agent does: a balancer that lost its replica, or a replica that is gone, is asked again. */
const untilDone = <T>(call: () => Promise<T>) => until('an answer', () => call().catch(() => null), 200, 60_000);

const untilStatus = (status: number, call: () => ReturnType<ProtocolNode['post']>) =>
  until(
    `status ${status}`,
    async () => {
      const answer = await call().catch(() => null);
      return answer?.status === status ? answer : null;
    },
    200,
  );
