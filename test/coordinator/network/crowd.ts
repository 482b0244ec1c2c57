import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import type { LinkPage } from '../../../coordinator/contract/network-link-routes.ts';
import { createUser } from '../../e2e/coordinator-process.ts';
import { jobClient } from '../../e2e/job-client.ts';
import { killWithItsPostgres } from '../../e2e/kill-coordinator.ts';
import { ProtocolNode } from '../../e2e/protocol-node.ts';
import { startReplaceable } from '../../e2e/replaceable-coordinator.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { withLifetime } from '../../support/lifetime.ts';
import { healthyFabric, type Fabric } from './fabric.ts';
import { SimulatedAgent, type Post } from './simulated-agent.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const user = { email: 'crowd@example.com', password: 'correct horse battery' };
const CALL_TIMEOUT_MS = 30_000;
const BEAT_MS = 10_000;
/** quick_mark is put before cluster_network */
const ITEM = 1;

export interface Outage {
  killedAt: number;
  readyAt: number;
}

export interface Crowd {
  agents: SimulatedAgent[];
  fabric: Fabric;
  outages: Outage[];
  /** milliseconds of each poll that nothing new came for */
  emptyPolls: number[];
  links: LinkPage['results'];
  result: Record<string, unknown> | null;
  state: string;
  requests: number;
  seconds: number;
}

interface Options {
  nodes: number;
  config: Record<string, unknown>;
  /** kills of coordinator and its Postgres, each this many ms after the first slots were handed out */
  killsAfterMs: number[];
  say: (line: string) => void;
}

/**
 * Simulated agents by the hundred, each with connections of its own kind as a real one has, against one coordinator
 * process with its own Postgres. Answers what the agents saw and what the customer reads afterwards.
 */
export async function runCrowd({ nodes, config, killsAfterMs, say }: Options): Promise<Crowd> {
  const folder = await makeDataDir(tmpdir());
  const place = { root, dataDir: join(folder, 'data') };
  const dispatcher = new Agent({ keepAliveTimeout: 60_000, connections: 4 * nodes, headersTimeout: CALL_TIMEOUT_MS });
  return withLifetime(async (lifetime) => {
    lifetime.after(() => removeDataDir(folder));
    lifetime.after(() => dispatcher.destroy());
    const { baseUrl, current, replace } = await startReplaceable(lifetime, place);
    await createUser(place, user);
    const client = await jobClient(baseUrl, user);
    const job = await client.createJob({
      benchmarks: [{ benchmark_id: 'cluster_network', config }],
      node_count: nodes,
    });
    const members = Array.from({ length: nodes }, () => new ProtocolNode(baseUrl, job.token));
    for (const member of members) await member.register();
    say(`${nodes} nodes registered`);
    const meter = { requests: 0, emptyPolls: [] as number[] };
    const post = (secret: string | null) =>
      postTo(baseUrl, { token: job.token, secret: secret ?? '', dispatcher, meter });
    const fabric = healthyFabric();
    const agents = members.map(
      ({ taskId, epoch, taskSecret }) =>
        new SimulatedAgent({ post: post(taskSecret), identity: { taskId, epoch, item: ITEM }, fabric }),
    );
    const startedAt = Date.now();
    const beating = new AbortController();
    const beats = members.map((member, at) => beat(member, (BEAT_MS * at) / nodes, beating.signal));
    const runs = Promise.all(agents.map((agent) => agent.run()));
    const outages: Outage[] = [];
    const kills = (async () => {
      const begun = () => agents.some((agent) => agent.slots.size > 0 || agent.ended !== null);
      while (killsAfterMs.length > 0 && !begun()) await delay(50);
      const from = Date.now();
      for (const after of killsAfterMs) {
        await delay(Math.max(0, from + after - Date.now()));
        const killedAt = Date.now();
        killWithItsPostgres(current().pid);
        await replace();
        outages.push({ killedAt, readyAt: Date.now() });
        say(`killed and back after ${Date.now() - killedAt} ms`);
      }
    })();
    await Promise.all([runs, kills]);
    const seconds = (Date.now() - startedAt) / 1000;
    beating.abort();
    await Promise.all(beats);
    say(`the run has ended: ${agents[0]?.ended?.outcome} ${agents[0]?.ended?.message ?? ''}`);
    const reader = await jobClient(baseUrl, user);
    const result = (await reader.getJob(job.id)).benchmark_results['cluster_network'];
    const links = await readLinks(baseUrl, job.id);
    return {
      agents,
      fabric,
      outages,
      links,
      seconds,
      emptyPolls: meter.emptyPolls,
      requests: meter.requests,
      result: result?.results ?? null,
      state: result?.state ?? 'absent',
    };
  });
}

interface Wire {
  token: string;
  secret: string;
  dispatcher: Agent;
  meter: { requests: number; emptyPolls: number[] };
}

function postTo(baseUrl: string, { token, secret, dispatcher, meter }: Wire): Post {
  return async (path, body) => {
    const askedAt = performance.now();
    const answer = await request(`${baseUrl}${path}`, {
      method: 'POST',
      dispatcher,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-task-secret': secret },
      body: JSON.stringify(body),
    });
    const answered = (await answer.body.json()) as Record<string, unknown>;
    meter.requests += 1;
    const elapsed = performance.now() - askedAt;
    if (path.endsWith('/poll') && answered['plan'] === null && answered['ended'] === null && elapsed > 9000)
      meter.emptyPolls.push(elapsed);
    return { status: answer.statusCode, body: answered };
  };
}

/** Beside the run, as agents do; what a dead coordinator does not hear is said again at the next beat. */
async function beat(member: ProtocolNode, firstMs: number, signal: AbortSignal): Promise<void> {
  await delay(firstMs, undefined, { signal }).catch(() => undefined);
  while (!signal.aborted) {
    await member.heartbeat('measuring').catch(() => undefined);
    await delay(BEAT_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function readLinks(baseUrl: string, jobId: string): Promise<LinkPage['results']> {
  const login = await request(`${baseUrl}/api/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(user),
  });
  const { data } = (await login.body.json()) as { data: { id_token: string } };
  const links: LinkPage['results'] = [];
  for (let page = 1; ; page += 1) {
    const answer = await request(`${baseUrl}/api/gpu-mark/v1/jobs/${jobId}/network/links?per_page=2100&page=${page}`, {
      headers: { authorization: `Bearer ${data.id_token}` },
      headersTimeout: CALL_TIMEOUT_MS,
    });
    const { results } = (await answer.body.json()) as LinkPage;
    links.push(...results);
    if (results.length < 2100) return links;
  }
}
