import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { HONEST, ITEM, type Phase } from './seats.ts';

const NODES = HONEST + 1;
const seats = Array.from({ length: NODES }, (_, node) => node);

/** Puts a run whose nodes have all joined into a phase that stays for an hour of the database's clock. */
export async function setPhase(sql: Sql, jobId: string, phase: Phase): Promise<void> {
  const now = Date.now();
  const times = { starts_at_ms: now - 10_000, ends_at_ms: now + 3_600_000, made_at_ms: now - 11_000 };
  const plan = {
    preflight: { kind: 'preflight', ...times, seats, listeners: seats, turn: 1 },
    rounds: { kind: 'slots', ...times },
    collective: { kind: 'collective', ...times },
  }[phase];
  const graph = {
    kind: 'full',
    degree: null,
    rounds: 3,
    links: 6,
    note: null,
    without: [],
    slot_seconds: 2,
    budget_seconds: 60,
  };
  const collective = {
    id: 'c.1',
    library: 'nccl',
    ranks: NODES,
    seats: seats.map((node) => ({ node, first_rank: node, devices: 1 })),
    unique_id: null,
    ends_at_ms: times.ends_at_ms,
    result: null,
    message: null,
    reported: [],
  };
  await sql`
    update network_run set state = ${phase}, sequence = 3, started_at = clock_timestamp(),
      rounds_started_at = clock_timestamp(), due_at = clock_timestamp() + interval '1 hour',
      deadline_at = clock_timestamp() + interval '2 hours', transport = 'tcp', next_round = 3,
      plan = ${JSON.stringify(plan)}::text::jsonb, graph = ${JSON.stringify(graph)}::text::jsonb,
      collective = ${phase === 'collective' ? JSON.stringify(collective) : null}::text::jsonb
    where job_id = ${jobId} and item = ${ITEM}`;
  if (phase !== 'rounds') return;
  await sql`
    insert into network_link (job_id, item, link, attempt, phase, sequence, round, source, target, dialer, address, port,
      dialer_address, transport, streams, concurrent_links, starts_at, slot_ms)
    select ${jobId}, ${ITEM}, row_number() over (order by a, b) - 1, 1, 'rounds', 3, 0, a, b, a, '10.0.0.2', 4711,
      '10.0.0.1', 'tcp', 1, 2, clock_timestamp() - interval '5 seconds', 2000
    from generate_series(0, ${NODES - 1}::int) a, generate_series(a + 1, ${NODES - 1}::int) b`;
}

/** Number of the link between two seats, in the order in which they were inserted. */
export function linkOf(one: number, two: number): number {
  const [a, b] = one < two ? [one, two] : [two, one];
  let link = 0;
  for (let from = 0; from < a; from += 1) link += NODES - 1 - from;
  return link + b - a - 1;
}
