import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import type { Attack, Finding } from '../attack.ts';
import { coordinatorCommand } from '../coordinator-command.ts';
import { openSite, type Site } from '../site.ts';
import type { Tenant } from '../tenant.ts';

/** Milliseconds until what was revoked must be refused everywhere; what is remembered lasts 5,000. */
const MOST_MS = 2000;
const LOOK_EVERY_MS = 20;

/** Goes on with what was taken away: links of a deleted job, the session of a disabled user, tokens of a retired key. */
export const attack: Attack = {
  title: 'go on with links, sessions and tokens that were taken away',
  run: async (site) => {
    const [disabled, ended] = [
      await site.addTenant('disabled', '127.75.0.1'),
      await site.addTenant('ended', '127.75.1.1'),
    ];
    return [
      // As a customer without other reports: its own would be before this one.
      await deletedJob(ended),
      await session(site, disabled, ['user', 'disable', '--email', disabled.email]),
      await session(site, ended, ['user', 'end-sessions', '--email', ended.email]),
      await staffReadsToken(site),
      await warnedOfJobs(site),
      ...(site.short ? [] : await retiredKeys()),
    ];
  },
};

/** A job of one node that ends at once, so that its report is rendered; then its link, kept from before it was deleted. */
async function deletedJob(owner: Tenant): Promise<Finding> {
  const made = await owner.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
  const { id, token } = made.body as { id: string; token: string };
  const agent = (path: string, body: object, headers: Record<string, string> = {}) =>
    owner.call('POST', `/api/gpu-mark/v1/agent/${path}`, { bearer: token, body, headers });
  const node = { machine_uuid: crypto.randomUUID(), session_id: crypto.randomUUID() };
  const registered = await agent('register', { ...node, agent_version: 'attack', protocol_version: 1 });
  const { task_id, epoch, task_secret = '' } = registered.body as Registered;
  const headers = { 'x-task-secret': task_secret };
  await agent('fail', { task_id, epoch, state: 'failed', message: 'gave up' }, headers);
  const url = await reportOf(owner, id);
  const path = url.slice(new URL(url).origin.length);
  const before = await owner.call('GET', path, { bearer: null });
  await owner.call('DELETE', '/api/gpu-mark/v1/jobs/delete', { body: { id } });
  const after = await owner.call('GET', path, { bearer: null });
  return {
    tried: `the signed link of a report (${before.status}) right after its job was deleted`,
    answer: `${after.status}`,
    held: before.status === 200 && after.status === 404,
  };
}

interface Registered {
  task_id: string;
  epoch: number;
  task_secret?: string;
}

async function reportOf(owner: Tenant, id: string): Promise<string> {
  return until('the report of a job that gave up is rendered', async () => {
    const { body } = await owner.call('GET', `/api/gpu-mark/v1/jobs/${id}`);
    return (body as { pdf_report_url: string | null }).pdf_report_url;
  });
}

async function session(site: Site, tenant: Tenant, argv: string[]): Promise<Finding> {
  const before = (await tenant.call('GET', '/api/user/me')).status;
  await command(site, argv);
  // How soon is judged by `make attack` alone.
  const ms = await untilRefused(() => tenant.call('GET', '/api/user/me'), site.short ? Infinity : MOST_MS);
  return {
    tried: `a session (${before}) after coordinator ${argv.slice(0, 2).join(' ')}`,
    answer: ms === null ? `still good after ${MOST_MS} ms` : `refused after ${ms.toFixed(0)} ms`,
    held: before === 200 && ms !== null,
  };
}

/** Runs as staff of another customer, who sees every job, and would run agents in the customer's name by its token. */
async function staffReadsToken(site: Site): Promise<Finding> {
  const email = 'curious-staff@example.com';
  const password = 'curious staff password';
  await command(site, [
    'user',
    'create',
    '--email',
    email,
    '--password',
    password,
    '--company',
    'Staff',
    '--role',
    'staff',
  ]);
  const login = await site.hostile.call('POST', '/api/user/login', { bearer: null, body: { email, password } });
  const bearer = (login.body as { data: { id_token: string } }).data.id_token;
  const list = await site.hostile.call('GET', '/api/gpu-mark/v1/jobs?per_page=300', { bearer });
  const { results } = list.body as { results: { token: string | null }[] };
  const tokens = results.filter(({ token }) => token !== null).length;
  return {
    tried: `the tokens of all customers' jobs in the list, as staff`,
    answer: `${results.length} jobs, ${tokens} tokens`,
    held: results.length > 0 && tokens === 0,
  };
}

async function warnedOfJobs(site: Site): Promise<Finding> {
  const { code, output } = await coordinatorCommand(site, 'key', 'rotate', 'job', '--now');
  const beat = await site.innocent.call('GET', '/api/user/me');
  const warned = code === 1 && output.includes('--yes');
  return {
    tried: 'coordinator key rotate job --now while jobs run',
    answer: warned ? 'says what they lose and changes nothing without --yes' : `exit ${code}: ${output}`,
    held: warned && beat.status === 200,
  };
}

/** On a coordinator of its own: here it would end the innocent tenant's session and job too, as it should. */
async function retiredKeys(): Promise<Finding[]> {
  const own = await openSite({ short: true });
  try {
    const made = await own.hostile.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
    const { token } = made.body as { token: string };
    const withJobToken = () => own.hostile.call('GET', '/api/gpu-mark/v1/agent/job', { bearer: token });
    const findings = [];
    for (const [what, argv, call] of [
      ['a job token', ['key', 'rotate', 'job', '--now', '--yes'], withJobToken],
      ['a session', ['key', 'rotate', 'login', '--now'], () => own.hostile.call('GET', '/api/user/me')],
    ] as const) {
      const before = (await call()).status;
      await command(own, [...argv]);
      const ms = await untilRefused(call, MOST_MS);
      findings.push({
        tried: `${what} (${before}) after coordinator ${argv.join(' ')}`,
        answer: ms === null ? `still good after ${MOST_MS} ms` : `refused after ${ms.toFixed(0)} ms`,
        held: before === 200 && ms !== null,
      });
    }
    return findings;
  } finally {
    await own.close();
  }
}

async function untilRefused(call: () => Promise<{ status: number }>, mostMs: number): Promise<number | null> {
  const began = performance.now();
  while (performance.now() - began < mostMs) {
    if ((await call()).status === 401) return performance.now() - began;
    await delay(LOOK_EVERY_MS);
  }
  return null;
}

/** A command that must do what it is told. */
async function command(site: Site, argv: string[]): Promise<void> {
  const { code, output } = await coordinatorCommand(site, ...argv);
  if (code !== 0) throw new Error(`coordinator ${argv.join(' ')} ended with ${code}: ${output}`);
}
