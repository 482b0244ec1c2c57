import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { linkMeasurement } from '../../../../coordinator/contract/cluster-network.ts';
import { linkPage } from '../../../../coordinator/contract/network-link-routes.ts';
import { summariseRun } from '../../../../coordinator/network/results/summarise-run.ts';
import { testApp } from '../../../support/app.ts';
import { call, makeUser, type Answer } from '../../../support/client.ts';
import { at, makeJob } from '../../jobs/node.ts';
import { madeLink, madeNodes, received, roundTrip, runFacts, slotReport } from './made-run.ts';
import { storeRun } from './stored-run.ts';
import { insertFullGraph, insertLinks } from './stored-run-queries.ts';

const app = await testApp({ after });
const owner = await makeUser(app);
const ends = {
  source: slotReport({ received: received(19), rtt_us: roundTrip(80) }),
  target: slotReport({ received: received(20) }),
};

/** A job with a stored run over every pair of `nodes` nodes; the summary is of no links, the rows are what counts here. */
async function fullRun(nodes: number): Promise<string> {
  const { id } = await makeJob(app, owner, { benchmarks: ['cluster_network'], node_count: nodes });
  const seats = madeNodes(nodes);
  const summary = summariseRun({
    run: runFacts(),
    nodes: seats,
    links: [],
    judgement: null,
    reach: null,
    collective: null,
  });
  await storeRun(app, { jobId: id, customerId: owner.customerId, item: 1, nodes: seats, links: [], summary });
  await insertFullGraph(app.platform.sql, { jobId: id, item: 1 }, { nodes, ...ends });
  return `/api/gpu-mark/v1/jobs/${id}`;
}

const get = (path: string): Promise<Answer> => call(app, 'GET', path, { headers: owner.authorization });

/** What a call costs the database; never a query per row. */
async function queriesOf(work: () => Promise<Answer>): Promise<{ answer: Answer; queries: number }> {
  let queries = 0;
  app.platform.sql.options.debug = () => void (queries += 1);
  const answer = await work();
  app.platform.sql.options.debug = false;
  return { answer, queries };
}

test('of 2,213 attempts 2,100 are inline, first attempts first, and the list has them all', async () => {
  // 67 * 66 / 2 = 2,211 pairs, and two retests that would come early by link.
  const path = await fullRun(67);
  const jobId = path.slice(path.lastIndexOf('/') + 1);
  const retests = [2, 3].map((attempt) => madeLink(67, { source: 0, target: 1, attempt }));
  await insertLinks(app.platform.sql, { jobId, item: 1 }, retests);
  const detail = at((await get(path)).body, 'benchmark_results', 'cluster_network', 'results');
  const inline = linkMeasurement.array().parse(at(detail, 'measurements'));
  assert.equal(inline.length, 2100);
  assert.deepEqual(
    inline.map(({ link_id, attempt }) => [link_id, attempt]),
    Array.from({ length: 2100 }, (_, link) => [link, 1]),
  );
  assert.equal(at(detail, 'measurements_total'), 2213);
  const pages = await Promise.all([1, 2].map((page) => get(`${path}/network/links?per_page=2100&page=${page}`)));
  const rows = pages.flatMap(({ body }) => linkPage.parse(body).results);
  assert.equal(new Set(rows.map(({ link_id, attempt }) => `${link_id}.${attempt}`)).size, 2213);
  const csv = await get(`${path}/network/links?format=csv`);
  assert.equal(csv.text.trimEnd().split('\r\n').length, 1 + 2213);
});

test('of all 32,640 links of 256 nodes, detail, pages and csv take a handful of queries each', async () => {
  const path = await fullRun(256);
  const counted = async (query: string): Promise<Answer> => {
    const { answer, queries } = await queriesOf(() => get(path + query));
    assert.equal(answer.status, 200);
    assert(queries > 0 && queries < 40, `${query} took ${queries} queries`);
    return answer;
  };
  assert.equal(
    at((await counted('')).body, 'benchmark_results', 'cluster_network', 'results', 'measurements_total'),
    32_640,
  );
  for (const query of ['?page=100', '?sort_by=bandwidth_gbps', '?sort_by=latency_us&sort_order=desc', '?verdict=slow'])
    await counted(`/network/links${query}`);
  const csv = await counted('/network/links?format=csv');
  assert.equal(csv.text.split('\r\n').length, 1 + 32_640 + 1);
});
