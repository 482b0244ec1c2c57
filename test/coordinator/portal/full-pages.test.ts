import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { ADDRESS_RATE, JOB_RATE, LINK_RATE } from '../../../coordinator/platform/limits/rate.ts';
import { assetUrl, serveAsset } from '../../../coordinator/portal/frame/assets.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { copyJob } from './copied-rows.ts';
import { completeCluster } from './large-cluster.ts';
import { portalWorld, slug } from './world.ts';

const NODES = 256;
const world = await portalWorld({ after });
const { app, owner } = world;
const { sql } = app.platform;
await copyJob(sql, world.job.id, 310);
await sql`
  insert into user_account (id, customer_id, email, role, password_hash, created_at)
  select n, customer_id, 'person-' || n || '@example.com', 'user', password_hash, created_at
  from user_account, generate_series(1, 310) n where id = ${owner.user.userId}`;
await sql`
  insert into login_session (id, user_id, created_at, refreshed_at, expires_at)
  select n, user_id, created_at, refreshed_at, expires_at from login_session, generate_series(1, 310) n
  where id = (select max(id) from login_session where user_id = ${owner.user.userId})`;
// With limits the page of the subscription has a row for each person.
Object.assign(app.platform.config, { rateLimits: { address: ADDRESS_RATE, job: JOB_RATE, link: LINK_RATE } });
const cluster = await makeJob(app, owner.user, {
  name: 'a cluster with as many nodes as a job may have',
  benchmarks: ['quick_mark', 'cluster_network'],
  node_count: NODES,
});
const node = new Node(app, cluster, 'cluster-machine');
await completeCluster(app, {
  node,
  customerId: owner.user.customerId,
  nodes: NODES,
  // Enough to fill every block of the matrix.
  link: (source, target) => ((source + target) % 8 === 0 ? { forward: 21, reverse: 12, verdict: 'slow' } : null),
});

/** Uncompressed bytes of the page and what it loads, without its charts, which have a separate budget. */
async function bytesOf(path: string): Promise<number> {
  const answer = await owner.it.get(path);
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text}`);
  const charts = text.match(/<svg[^>]*viewBox="0 0 (?:980|358)[^]*?<\/svg>/g) ?? [];
  const assets = ['portal.css', 'portal.js', 'live.js'].map(assetUrl).filter((url) => text.includes(url));
  const files = await Promise.all(assets.map(async (url) => serveAsset(url, undefined)?.arrayBuffer()));
  return (
    Buffer.byteLength(text) -
    charts.reduce((sum, svg) => sum + svg.length, 0) +
    files.reduce((sum, file) => sum + (file?.byteLength ?? 0), 0)
  );
}

test('a full page is below 100 KB too, however many rows are requested', async () => {
  const job = `/jobs/${cluster.id}`;
  const full = [
    '/jobs?per_page=300',
    job,
    `${job}?order=worst&nodes=2`,
    `${job}/nodes`,
    `${job}/copies`,
    `${job}/together`,
    `${job}/findings`,
    `${job}/links?per_page=300`,
    `/machines?per_page=300`,
    `/machines/${world.machine}?per_page=300`,
    `/tasks/${node.taskId}`,
    `/tasks/${node.taskId}/samples`,
    '/market?per_page=100',
    `/market/${slug}?start_date=2026-05-24&end_date=2026-08-21`,
    `/market/${slug}/forward`,
    '/tokens/book?per_page=100',
    '/tokens/pulse?per_page=100',
    '/company/audit?per_page=300',
    '/company/members?per_page=300',
    '/account/sessions?per_page=300',
    '/company/subscription',
    '/company/subscription/requests',
  ];
  const bytes: [string, number][] = [];
  for (const path of full) bytes.push([path.replaceAll(/\d{10,}/g, 'ID'), await bytesOf(path)]);
  assert.deepEqual(
    bytes.filter(([, count]) => count > 100_000),
    [],
  );
  assert.match(await (await owner.it.get('/company/subscription')).text(), /<caption>Requests now</);
  // A person who is not on this page is on the next, and in the file.
  const people = async (path: string): Promise<number> =>
    ((await (await owner.it.get(path)).text()).match(/<th scope="row"[^>]*>person-|^person-/gm) ?? []).length;
  const pages = await Promise.all([1, 2, 3, 4, 5, 6, 7].map((page) => people(`/company/members?page=${page}`)));
  assert.equal(
    pages.reduce((sum, count) => sum + count, 0),
    310,
  );
  assert.equal(await people('/company/members.csv'), 310);
});
