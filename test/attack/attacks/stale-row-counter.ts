import { join } from 'node:path';
import { connectDatabase, type Sql } from '../../../coordinator/platform/db/client.ts';
import { DATABASE_NAME, DATABASE_USER } from '../../../coordinator/platform/db/embedded/readiness.ts';
import { SOCKET_PORT } from '../../../coordinator/platform/db/embedded/find-server.ts';
import type { Attack, Finding } from '../attack.ts';
import type { Site } from '../site.ts';

/** The largest page of the largest jobs that may be made: over a megabyte of rows in one statement. */
const JOBS = 300;
const LISTINGS_AT_A_TIME = 2;
const ENOUGH = { short: 4, full: 40 };
const MOST_HOLDS = 1000;

/**
 * A statement that fails behind its first row used to leave its rows' places to the next query of its connection, whose
 * answer then began with a hole: "wrong password", "job not found" for anybody. From outside that takes a listing so long
 * that it runs over its time. Fifteen seconds for each would be long, so the time limit is played here: the coordinator is
 * held for some milliseconds while the hostile listing streams, the server is told to end that statement as the limit
 * would, and the coordinator goes on. Nothing else of it is touched, and no other statement can be the one that waits.
 */
export const attack: Attack = {
  title: 'leave holes in the answers of others by statements that fail behind their first row',
  run: async (site) => {
    await fill(site);
    const { dataDir } = site;
    const host = join(dataDir, 'postgres', 'cluster');
    const embedded = { host, port: SOCKET_PORT, database: DATABASE_NAME, user: DATABASE_USER };
    const sql = connectDatabase({ embedded, max: 1, applicationName: 'attack' });
    const over = new AbortController();
    const listing = Array.from({ length: LISTINGS_AT_A_TIME }, () => listUntil(site, over.signal));
    const wrong: string[] = [];
    let cancelled = 0;
    try {
      const enough = site.short ? ENOUGH.short : ENOUGH.full;
      for (let hold = 0; hold < MOST_HOLDS && cancelled < enough; hold += 1) {
        const ended = await endInTheMiddle(site.pid, sql);
        cancelled += ended;
        if (ended > 0) wrong.push(...(await wrongAnswers(site)));
      }
    } finally {
      over.abort();
      await Promise.all(listing);
      await sql.end({ timeout: 1 });
    }
    if (cancelled === 0) throw new Error('no listing was met while its rows were on their way');
    return [finding(cancelled, wrong)];
  },
};

const finding = (cancelled: number, wrong: string[]): Finding => ({
  tried: `${cancelled} listings of ${JOBS} jobs ended by the server in the middle of their rows`,
  answer: wrong.length === 0 ? 'every later answer was right' : `${wrong.length} wrong answers: ${wrong[0]}`,
  held: wrong.length === 0,
});

async function fill({ hostile }: Site): Promise<void> {
  const body = {
    description: '€'.repeat(512),
    benchmarks: ['quick_mark'],
    tags: Array.from({ length: 10 }, (_, n) => `${n}${'€'.repeat(49)}`),
  };
  const lanes = Array.from({ length: 10 }, async () => {
    for (let n = 0; n < JOBS / 10; n += 1) {
      const made = await hostile.call('POST', '/api/gpu-mark/v1/jobs', { body });
      if (made.status !== 201) throw new Error(`no job to list: ${made.status} ${JSON.stringify(made.body)}`);
    }
  });
  await Promise.all(lanes);
}

async function listUntil({ hostile }: Site, over: AbortSignal): Promise<void> {
  while (!over.aborted) await hostile.call('GET', `/api/gpu-mark/v1/jobs?per_page=${JOBS}`);
}

/** While the coordinator is held, a statement whose rows do not fit the socket can only wait: it is in its middle. */
async function endInTheMiddle(pid: number, sql: Sql): Promise<number> {
  process.kill(pid, 'SIGSTOP');
  try {
    await sql`select pg_sleep(.003)`;
    const ended = await sql`
      select pg_cancel_backend(pid) from pg_stat_activity
      where application_name = 'gpumark coordinator' and state = 'active' and wait_event = 'ClientWrite'`;
    return ended.length;
  } finally {
    process.kill(pid, 'SIGCONT');
    await sql`select pg_sleep(.005)`;
  }
}

/** Questions of one row each, as many as the pool has connections and more. */
async function wrongAnswers({ hostile }: Site): Promise<string[]> {
  const asked = Array.from({ length: 20 }, async () => {
    const { status, body } = await hostile.call('GET', '/api/user/me');
    const isRight = status === 200 && (body as { data: { email: string } }).data.email === hostile.email;
    return isRight ? [] : [`GET /api/user/me: ${status} ${JSON.stringify(body).slice(0, 120)}`];
  });
  return (await Promise.all(asked)).flat();
}
