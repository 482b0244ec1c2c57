import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { execa } from 'execa';
import { until } from '../until.ts';
import { ipBatch } from './ip-batch.ts';
import { isRunning, processIdentity } from './process-identity.ts';

const FAMILY = 'gmlab';
const NAME = new RegExp(`^${FAMILY}-(\\d+-\\d+)-[0-9a-f]{6}-`);

/** Prefix of all names of a new lab: `gmlab-PID-START-RANDOM`. It is never used twice. */
export const newPrefix = (): string => `${FAMILY}-${processIdentity(process.pid)}-${randomBytes(3).toString('hex')}`;

const allNamespaces = (): Promise<string[]> => readdir('/run/netns').catch(() => []);

/** Removes what labs of dead processes have left behind, and ends the processes in it. */
export async function sweepLeftovers(): Promise<string[]> {
  const left = (await allNamespaces()).filter((name) => {
    const owner = NAME.exec(name)?.[1];
    return owner !== undefined && !isRunning(owner);
  });
  await removeNamespaces(left);
  return left;
}

export const namespacesOf = async (prefix: string): Promise<string[]> =>
  (await allNamespaces()).filter((name) => name.startsWith(`${prefix}-`));

/** Kills the processes in the namespaces by process id, then removes the namespaces and with them their interfaces. */
export async function removeNamespaces(names: readonly string[]): Promise<void> {
  await until('the end of what runs in the namespaces', async () => {
    const pids = await pidsIn(names);
    for (const pid of pids) endProcess(pid);
    return pids.length === 0;
  });
  for (const name of names) {
    // Another process may have removed it first.
    await ipBatch('', [`netns delete ${name}`]).catch(async (error: unknown) => {
      if ((await allNamespaces()).includes(name)) throw error;
    });
  }
}

async function pidsIn(names: readonly string[]): Promise<number[]> {
  const answers = await Promise.all(names.map((name) => execa('ip', ['netns', 'pids', name], { reject: false })));
  return answers.flatMap(({ exitCode, stdout }) =>
    exitCode === 0 ? stdout.split('\n').filter(Boolean).map(Number) : [],
  );
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it ended by itself
  }
}
