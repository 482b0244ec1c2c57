import type { Scope } from '../../agent/support/agent-tree.ts';
import { watchedAgent, whoSaw } from '../../agent/support/watched-agent.ts';
import type { Attack, Finding } from '../attack.ts';
import { cleanly } from '../cleanly.ts';
import type { Site } from '../site.ts';

/** Another user of the machine reads `ps`; a program that the agent starts reads what it inherits. */
export const attack: Attack = {
  long: 'two whole runs of the agent; test/agent/tokens-in-sight.test.ts has the same ones',
  title: 'find a job token in the environment or the command line of what runs on the machine',
  run: async (site) =>
    cleanly(async (t) => [
      await watch(t, site, 'GPUMARK_API_KEY', (token) => ({ args: [], env: { GPUMARK_API_KEY: token } })),
      await watch(t, site, '-api-key', (token) => ({ args: ['-api-key', token], env: {} })),
    ]),
};

async function watch(
  t: Scope,
  { innocent }: Site,
  how: string,
  start: (token: string) => { args: string[]; env: Record<string, string> },
): Promise<Finding> {
  const made = await innocent.call('POST', '/api/gpu-mark/v1/jobs', { body: { benchmarks: ['quick_mark'] } });
  const { token } = made.body as { token: string };
  const { tree, path, seen } = watchedAgent(t);
  const { args, env } = start(token);
  const { stdout, stderr } = await tree.spawn([...args, '--json'], { ...env, PATH: path });
  const children = Object.keys(seen()).length;
  const saw = whoSaw(seen(), token);
  const printed = (stdout + stderr).includes(token);
  return {
    tried: `environment, command line and parent's command line of ${children} programs that an agent started, token by ${how}`,
    answer: `${saw.length} saw the token${saw.length > 0 ? `: ${saw.slice(0, 5).join(', ')}` : ''}; ${printed ? 'printed' : 'never printed'}`,
    held: children > 0 && saw.length === 0 && !printed,
  };
}
