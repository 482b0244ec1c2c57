import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { lockLinks, updateReported } from '../../../../coordinator/network/queries/links.ts';
import type { Transaction } from '../../../../coordinator/platform/db/client.ts';
import { testApp } from '../../../support/app.ts';
import { join, networkJob } from '../network-job.ts';

const app = await testApp({ after });
const { sql } = app.platform;

/** How often each index of the table was searched in this transaction. */
async function searches(tx: Transaction): Promise<Record<string, number>> {
  const rows = await tx<{ name: string; count: number }[]>`
    select c.relname as name, pg_stat_get_xact_numscans(c.oid)::int as count from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = 'network_link'::regclass`;
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

test('an attempt is looked up by its key, also in a table that was never analysed', async () => {
  const run = await networkJob(app, 2);
  for (const node of run.nodes) await join(node);
  const jobId = run.job.id;
  const item = (await sql<{ item: number }[]>`select item from network_run where job_id = ${jobId}`)[0]?.item ?? -1;
  const key = { jobId, item };
  const [table] = await sql`select reltuples from pg_class where relname = 'network_link'`;
  assert.ok(Number(table?.['reltuples']) <= 0, 'nothing is known of the table');
  await sql`
    insert into network_link (job_id, item, sequence, link, attempt, phase, round, source, target, dialer, transport, starts_at, slot_ms)
    select ${jobId}, ${item}, 2, link, 1, 'rounds', 0, 0, 1, 0, 'tcp', now(), 2000 from generate_series(0, 999) link`;
  await sql.begin(async (tx) => {
    const before = await searches(tx);
    const named = [7, 3, 990].map((link) => ({ link, attempt: 1 }));
    const locked = await lockLinks(tx, key, named);
    assert.deepEqual(
      locked.map(({ link }) => link),
      [3, 7, 990],
      'in one order, from both ends',
    );
    await updateReported(
      tx,
      key,
      named.map((one) => ({ ...one, source_report: { status: 'ok' }, target_report: null, status: null })),
    );
    const after = await searches(tx);
    const grown = Object.keys(after).filter((name) => (after[name] ?? 0) > (before[name] ?? 0));
    assert.deepEqual(grown, ['network_link_pkey']);
    assert.equal(
      (after['network_link_pkey'] ?? 0) - (before['network_link_pkey'] ?? 0),
      6,
      'three reads, three writes',
    );
  });
});
