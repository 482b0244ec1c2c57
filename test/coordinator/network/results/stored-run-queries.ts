import type { LinkRow, SlotReport } from '../../../../coordinator/network/queries/links.ts';
import type { RunNode } from '../../../../coordinator/network/results/run-input.ts';
import type { RunSummary } from '../../../../coordinator/network/results/summarise-run.ts';
import type { Queryable } from '../../../../coordinator/platform/db/client.ts';

interface Key {
  jobId: string;
  item: number;
}

export async function insertRun(
  sql: Queryable,
  run: Key & { summary: RunSummary | null; secret: Buffer | null; now: Date },
): Promise<void> {
  const ended = run.summary !== null;
  await sql`
    insert into network_run (job_id, item, state, seed, secret, due_at, joining_ends_at, started_at, outcome, summary,
      created_at, ended_at)
    values (${run.jobId}, ${run.item}, ${ended ? 'ended' : 'rounds'}, '42', ${run.secret}, ${run.now}, ${run.now},
      ${run.now}, ${ended ? 'completed' : null}, ${ended ? JSON.stringify(run.summary) : null}::text::jsonb, ${run.now},
      ${ended ? new Date(run.now.getTime() + 30_000) : null})`;
}

export async function insertSeats(
  sql: Queryable,
  seats: (Key & RunNode & { customerId: string; sessionId: string; newId: string; now: Date })[],
): Promise<void> {
  for (const seat of seats) {
    const [task] = await sql<{ id: string }[]>`
      insert into task (id, job_id, customer_id, machine_uuid, hostname, session_id, agent_version, state, created_at)
      values (${seat.newId}, ${seat.jobId}, ${seat.customerId}, ${seat.machine_uuid}, ${seat.hostname},
        ${seat.sessionId}, '0.1.0', 'registered', ${seat.now})
      on conflict (job_id, machine_uuid) do update set hostname = excluded.hostname returning id`;
    if (!task) throw new Error('no task');
    await sql`
      insert into network_node (job_id, item, node, task_id, endpoints, capabilities, joined_at, state, lost_at)
      values (${seat.jobId}, ${seat.item}, ${seat.node}, ${task.id}, ${JSON.stringify(seat.endpoints)}::text::jsonb,
        '{"rdma": null}', ${seat.now}, ${seat.state}, ${seat.state === 'lost' ? seat.now : null})`;
  }
}

/** All in one statement a thousand rows. */
export async function insertLinks(sql: Queryable, { jobId, item }: Key, links: readonly LinkRow[]): Promise<void> {
  for (let first = 0; first < links.length; first += 1000) {
    const rows = links
      .slice(first, first + 1000)
      // The default stands for `repeated`: a database that is to be upgraded does not have it yet.
      .map(({ repeated: _default, ...row }) => ({ ...row, job_id: jobId, item, sequence: 1, version: 1 }));
    // What the database computes cannot be given, and such a database lacks newer columns: those of no row are left to it.
    const given = new Set(
      rows.flatMap((row) => Object.entries(row).flatMap(([name, value]) => (value === null ? [] : name))),
    );
    const columns = sql([...given]);
    await sql`
      insert into network_link (${columns})
      select ${columns} from jsonb_populate_recordset(null::network_link, ${JSON.stringify(rows)}::text::jsonb)`;
  }
}

/** Every pair of n nodes, ok in its round, with the same two reports. */
export async function insertFullGraph(
  sql: Queryable,
  { jobId, item }: Key,
  graph: { nodes: number; source: SlotReport; target: SlotReport },
): Promise<void> {
  await sql`
    insert into network_link (job_id, item, link, attempt, phase, sequence, round, source, target, dialer, address, port,
      dialer_address, transport, streams, concurrent_links, status, source_report, target_report, verdict)
    select ${jobId}, ${item}, row_number() over (order by a, b) - 1, 1, 'rounds', 1, 0, a, b, a, '10.0.0.2', 4711,
      '10.0.0.1', 'tcp', 1, ${Math.floor(graph.nodes / 2)}, 'ok', ${JSON.stringify(graph.source)}::text::jsonb,
      ${JSON.stringify(graph.target)}::text::jsonb, 'good'
    from generate_series(0, ${graph.nodes - 1}::int) a, generate_series(a + 1, ${graph.nodes - 1}::int) b`;
}
