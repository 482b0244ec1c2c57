import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { ListLinksQuery } from '../../../../coordinator/contract/network-link-routes.ts';
import { updateReported, type LinkRow } from '../../../../coordinator/network/queries/links.ts';
import { measurementOnWire } from '../../../../coordinator/network/results/measurement-on-wire.ts';
import { countLinks, selectCells, selectLinkPage } from '../../../../coordinator/network/results/queries.ts';
import type { Sql } from '../../../../coordinator/platform/db/client.ts';
import { migrate } from '../../../../coordinator/platform/db/migrate.ts';
import { emptyDatabase, freshDatabase } from '../../../support/postgres.ts';
import { linkRow, received, roundTrip, slotReport } from './made-run.ts';
import { insertLinks } from './stored-run-queries.ts';

const run = { jobId: '1', item: 0 };
/** The last migration before the one that stores the figures. */
const BEFORE_FIGURES = 26;

/** Every way in which two reports have a figure or have none, each several times with the same figures. */
const kinds: Partial<LinkRow>[] = [
  { source_report: slotReport({ received: received(19), rtt_us: roundTrip(80) }) },
  { source_report: slotReport({ received: received(0.1), rtt_us: roundTrip(0) }) },
  { source_report: slotReport({ received: received(7.25) }), target_report: slotReport({ rtt_us: roundTrip(81.3) }) },
  { source_report: slotReport({ received: null, rtt_us: roundTrip(45) }) },
  { source_report: null },
  { source_report: null, target_report: null, status: 'node_lost' },
  { source_report: slotReport(), target_report: null, status: 'no_report' },
  { source_report: slotReport({ rtt_us: roundTrip(60) }), target_report: slotReport({ rtt_us: roundTrip(70) }) },
  {
    dialer: 1,
    source_report: slotReport({ rtt_us: roundTrip(60) }),
    target_report: slotReport({ received: received(12), rtt_us: roundTrip(70) }),
  },
  { dialer: 1, source_report: slotReport({ rtt_us: roundTrip(50) }), target_report: slotReport({ received: null }) },
  { dialer: null, source_report: null, target_report: null, status: 'unreachable' },
  // Planned, and nobody has spoken of it, or one of its ends has: no measurement yet.
  { status: null, source_report: null, target_report: null },
  { status: null, source_report: slotReport({ rtt_us: roundTrip(1) }), target_report: null },
];
const links = Array.from({ length: 5 * kinds.length }, (_, n) =>
  linkRow({
    link: (n * 31) % 40,
    attempt: 1 + Math.floor(n / 40),
    status: 'ok',
    verdict: n % 2 === 0 ? 'good' : null,
    target_report: slotReport({ received: received(20) }),
    ...kinds[n % kinds.length],
  }),
);

const asked: Pick<ListLinksQuery, 'page' | 'per_page' | 'sort_by' | 'sort_order' | 'format'> = {
  page: 1,
  per_page: 7,
  sort_by: 'link_id',
  sort_order: 'asc',
  format: 'json',
};

/** All pages of a query, as `link.attempt`. */
async function walked(sql: Sql, query: ListLinksQuery): Promise<string[]> {
  const keys: string[] = [];
  for (let page = 1; ; page += 1) {
    const rows = await selectLinkPage(sql, run, { ...query, page });
    keys.push(...rows.map(({ link, attempt }) => `${link}.${attempt}`));
    if (rows.length < query.per_page) return keys;
  }
}

/** The same of what the wire computes from the reports. */
function computed({ sort_by: by, sort_order: order, verdict }: ListLinksQuery): string[] {
  const sign = order === 'asc' ? 1 : -1;
  return links
    .filter((row) => row.status !== null && (verdict === undefined || (row.verdict ?? 'unmeasured') === verdict))
    .map((row) => measurementOnWire(row, []))
    .toSorted((a, b) => {
      const [x, y] = [a[by], b[by]];
      const among = x === null || y === null ? Number(x === null) - Number(y === null) : sign * (x - y);
      return among || a.link_id - b.link_id || a.attempt - b.attempt;
    })
    .map(({ link_id, attempt }) => `${link_id}.${attempt}`);
}

/** The run's rows without the job that they are of. */
async function store(sql: Sql): Promise<void> {
  await sql`alter table network_link drop constraint network_link_job_id_item_fkey`;
  await insertLinks(sql, run, links);
}

async function assertOrders(sql: Sql): Promise<void> {
  for (const sort_by of ['link_id', 'bandwidth_gbps', 'latency_us'] as const)
    for (const sort_order of ['asc', 'desc'] as const)
      for (const filter of [{}, { verdict: 'unmeasured' as const }]) {
        const query = { ...asked, sort_by, sort_order, ...filter };
        const expected = computed(query);
        assert.deepEqual(await walked(sql, query), expected, JSON.stringify(query));
        assert.equal(await countLinks(sql, run, query), expected.length);
      }
}

const upgraded = async (t: TestContext): Promise<Sql> => {
  const { sql } = await emptyDatabase(t);
  await migrate(sql, { upTo: BEFORE_FIGURES });
  await store(sql);
  await migrate(sql);
  return sql;
};

test('pages of links by bandwidth and by latency, ties and links without the figure among them, are those of the reports', async (t) => {
  const { sql } = await freshDatabase(t);
  await store(sql);
  await assertOrders(sql);
});

test('links that were stored before the figures were have the same orders and figures once the database is upgraded', async (t) => {
  const sql = await upgraded(t);
  await assertOrders(sql);
  const cells = await selectCells(sql, { ...run, transport: 'tcp' });
  const first = links.filter(({ attempt, status }) => attempt === 1 && status !== null);
  assert.deepEqual(
    cells.map(({ link, latency_us }) => [link, latency_us]),
    first.toSorted((a, b) => a.link - b.link).map((row) => [row.link, measurementOnWire(row, []).latency_us]),
  );
});

test('a report that is stored later brings its figures; one of an attempt without a status is written in place', async (t) => {
  const { sql } = await freshDatabase(t);
  await sql`alter table network_link drop constraint network_link_job_id_item_fkey`;
  await insertLinks(sql, run, [linkRow()]);
  const key = { link: 0, attempt: 1 };
  await sql.begin(async (tx) => {
    const report = slotReport({ received: received(19), rtt_us: roundTrip(80) });
    await updateReported(tx, run, [{ ...key, source_report: report, target_report: null, status: null }]);
    const [written] = await tx`select pg_stat_get_xact_tuples_hot_updated('network_link'::regclass)::int as in_place`;
    assert.equal(written?.['in_place'], 1);
  });
  const figures = async () => (await sql`select bandwidth_gbps, latency_us from network_link`)[0];
  assert.deepEqual(await figures(), { bandwidth_gbps: null, latency_us: null });
  const target = slotReport({ received: received(18.5) });
  await updateReported(sql, run, [{ ...key, source_report: null, target_report: target, status: 'ok' }]);
  assert.deepEqual(await figures(), { bandwidth_gbps: 18.5, latency_us: 40 });
});
