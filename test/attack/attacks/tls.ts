import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { agentTree, type Scope } from '../../agent/support/agent-tree.ts';
import { makeCertificates } from '../../support/certificates.ts';
import { tlsProxy } from '../../support/tls-proxy.ts';
import type { Attack, Finding } from '../attack.ts';
import { cleanly } from '../cleanly.ts';
import type { Site } from '../site.ts';

const root = join(import.meta.dirname, '..', '..', '..');

/** Somebody between agent and coordinator with a certificate of their own, or an environment that believes everybody. */
export const attack: Attack = {
  title: 'stand between an agent and its coordinator',
  run: async (site) =>
    cleanly(async (t) => [
      // Two runs of the agent; test/agent/session/tls.test.ts has the same ones.
      ...(site.short ? [] : await stranger(t, site)),
      await unchecked('agent', [join(root, 'agent', 'main.ts'), '--version']),
      await unchecked('coordinator', [join(root, 'coordinator', 'main.ts'), 'migrate']),
    ]),
};

async function stranger(t: Scope, { innocent, baseUrl }: Site): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'gpumark-between-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const { ca, key, cert } = makeCertificates(folder);
  await using proxy = await tlsProxy(baseUrl, { key, cert });
  const made = await innocent.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
  const env = { GPUMARK_API_KEY: (made.body as { token: string }).token, GPUMARK_COORDINATOR: proxy.url };
  const distrustful = await agentTree(t).spawn([], env);
  const heard = proxy.requests.length;
  await agentTree(t).spawn(['--ca', ca], env);
  return [
    {
      tried: 'https with a certificate of an unknown authority, for the agent to send its token to',
      answer: `exit ${distrustful.exitCode}, ${heard} requests came`,
      held: distrustful.exitCode === 7 && heard === 0,
    },
    {
      tried: 'the same with --ca for that authority, which must work',
      answer: `${proxy.requests.length} requests came`,
      held: proxy.requests.length > 0,
    },
  ];
}

async function unchecked(program: string, command: string[]): Promise<Finding> {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: '/proc/none', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  const { exitCode, stderr } = await execa(process.execPath, command, { env, extendEnv: false, reject: false });
  return {
    tried: `${program} with NODE_TLS_REJECT_UNAUTHORIZED=0`,
    answer: `exit ${exitCode}: ${stderr.split('\n')[0]?.slice(0, 100) ?? ''}`,
    held: exitCode === 2 && stderr.includes('NODE_TLS_REJECT_UNAUTHORIZED'),
  };
}
