import { randomBytes } from 'node:crypto';
import { createUser } from '../../../coordinator/accounts/create-user.ts';
import { currentSigningKey } from '../../../coordinator/accounts/signing-key.ts';
import { beginSession } from '../../../coordinator/accounts/sessions/begin-session.ts';
import { issueLoginTokens } from '../../../coordinator/accounts/login-tokens.ts';
import { findUser } from '../../../coordinator/accounts/queries.ts';
import { signJobToken } from '../../../coordinator/accounts/job-token.ts';
import type { Tier } from '../../../coordinator/contract/user.ts';
import { hashOfSecret } from '../../../coordinator/lifecycle/session.ts';
import { readConfig } from '../../../coordinator/platform/config.ts';
import { systemContext, type Context, idSource } from '../../../coordinator/platform/context.ts';
import type { Sql } from '../../../coordinator/platform/db/client.ts';
import { createLog } from '../../../coordinator/platform/log.ts';

const now = () => new Date();
const HOUR_MS = 3_600_000;

/** A context for the verbs that seed; without an artifact store, because nothing here renders. */
export function seedContext(sql: Sql): Context {
  const config = readConfig({ PUBLIC_URL: 'http://127.0.0.1' });
  const none = () => Promise.reject(new Error('no artifacts in a bench'));
  const artifacts = {
    keyOf: () => '',
    put: none,
    open: none,
    remove: none,
    signedUrl: none,
    checkUrl: () => 'altered' as const,
  };
  const platform = {
    config,
    sql,
    artifacts,
    log: createLog('silent'),
    now,
    randomBytes,
    newId: idSource(now, randomBytes),
  };
  return systemContext(platform, 'seed');
}

/** A customer with one user; `bearer` is the user's id_token. */
export async function seedUser(
  context: Context,
  tier: Tier | null = null,
): Promise<{ userId: string; customerId: string; bearer: string }> {
  const email = `bench-${randomBytes(4).toString('hex')}@example.com`;
  const names = { firstName: 'Ada', lastName: 'Lovelace', company: `Bench ${email}` };
  const ids = await createUser(context, {
    email,
    password: 'correct horse battery',
    role: 'user',
    tier,
    ...names,
  });
  const user = await findUser(context.sql, ids.userId);
  if (!user) throw new Error('the user just made is not there');
  const session = await beginSession(context, context.sql, ids.userId);
  return { ...ids, bearer: (await issueLoginTokens(context, user, session)).id_token };
}

/** `count` ended jobs of one customer, a minute apart. */
export async function seedEndedJobs(
  context: Context,
  owner: { userId: string; customerId: string },
  count: number,
): Promise<void> {
  const { kid } = await currentSigningKey(context, 'job');
  await context.sql`
    insert into job (id, customer_id, created_by, name, description, state, node_count, current_nodes, benchmark_sequence,
      benchmarks, tags, token_id, token_kid, created_at, started_at, expires_at, ended_at)
    select 1800000000000000000 + n, ${owner.customerId}::int8, ${owner.userId}::int8, 'bench-job-' || n, 'one of many', 'completed', 4, 4,
      '[{"benchmark_id": "quick_mark", "config": null}]', '{quick_mark}', array['team-' || n % 50, 'nightly'],
      md5(n::text), ${kid}, t, t + interval '20 s', t + interval '24 h', t + interval '3 min'
    from generate_series(1, ${count}::int) n, lateral (select timestamptz '2026-01-01T00:00:00Z' + n * interval '1 min') as at (t)`;
  await context.sql`vacuum analyze job`;
}

export interface SeededTask {
  taskId: string;
  jobId: string;
  customerId: string;
  token: string;
  secret: string;
}

const secretOf = (taskId: string): string => `gmts_${taskId.padStart(43, '0')}`;

/** Running jobs with all their nodes measuring, and the token of each job. */
export async function seedRunningTasks(
  context: Context,
  { customerId, jobs, nodes }: { customerId: string; jobs: number; nodes: number },
): Promise<SeededTask[]> {
  const { kid } = await currentSigningKey(context, 'job');
  const seeded: SeededTask[] = [];
  for (let n = 0; n < jobs; n += 1) {
    const [jobId, tokenId, at] = [context.newId(), randomBytes(16).toString('hex'), now()];
    const expiresAt = new Date(at.getTime() + 24 * HOUR_MS);
    await context.sql`
      insert into job (id, customer_id, name, state, node_count, current_nodes, benchmark_sequence, benchmarks, token_id,
        token_kid, created_at, started_at, expires_at)
      values (${jobId}, ${customerId}, ${`running ${n}`}, 'running', ${nodes}, ${nodes},
        '[{"benchmark_id": "quick_mark", "config": null}]', '{quick_mark}', ${tokenId}, ${kid}, ${at}, ${at}, ${expiresAt})`;
    const token = await signJobToken(context, { jobId, customerId, tokenId, kid, issuedAt: at, expiresAt });
    const taskIds = Array.from({ length: nodes }, () => context.newId());
    await context.sql`
      insert into task (id, job_id, customer_id, machine_uuid, session_id, secret_hash, agent_version, state, created_at, started_at)
      select id, ${jobId}, ${customerId}, 'machine-' || id, gen_random_uuid(), hash, '0', 'running', ${at}::timestamptz, ${at}::timestamptz
      from unnest(${taskIds}::int8[], ${taskIds.map((id) => hashOfSecret(secretOf(id)))}::text[]) task (id, hash)`;
    await context.sql`
      insert into task_lease (task_id, epoch, phase, beat_at, expires_at)
      select id, 1, 'measuring', ${at}::timestamptz, ${expiresAt}::timestamptz from unnest(${taskIds}::int8[]) id`;
    seeded.push(...taskIds.map((taskId) => ({ taskId, jobId, customerId, token, secret: secretOf(taskId) })));
  }
  await context.sql`vacuum analyze`;
  return seeded;
}
