import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../containers/image-tools.ts';
import { programPath, whyWithout } from './debian-packages.ts';
import type { Lifetime } from './lifetime.ts';
import { reservePorts } from './reserved-ports.ts';
import { until } from './until.ts';

export const whyNoSlurm = await whyWithout(
  ['slurmctld', 'slurmd', 'sbatch', 'srun', 'scontrol', 'sinfo', 'munged', 'setpriv'],
  'slurmctld slurmd slurm-client munge',
);

export interface Slurm {
  folder: string;
  /** A command of Slurm; exit code and both streams, whatever it ends with. */
  call: (
    words: readonly string[],
    environment?: Record<string, string>,
  ) => Promise<{ code: number; stdout: string; stderr: string }>;
  nodes: string[];
}

/** A controller and several slurmd of one machine, each a node: the real daemons, with settings of the test. */
export async function startSlurm(lifetime: Lifetime, { nodes = 3, settings = '' } = {}): Promise<Slurm> {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-slurm-'));
  await chmod(folder, 0o755);
  const closers: (() => Promise<void>)[] = [];
  lifetime.after(async () => {
    for (const close of closers.toReversed()) await close();
    await rm(folder, { recursive: true, force: true });
  });
  const socket = await startMunge(folder, closers);
  const ports = await reservePorts(nodes + 1);
  const names = Array.from({ length: nodes }, (_, at) => `n${at + 1}`);
  for (const name of ['state', 'run', 'log', ...names.map((node) => `spool-${node}`)]) await mkdir(join(folder, name));
  const lines = names.map(
    (name, at) =>
      `NodeName=${name} NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${ports[at + 1]} CPUs=2 RealMemory=1000`,
  );
  await writeFile(
    join(folder, 'slurm.conf'),
    `ClusterName=test
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmctldPort=${ports[0]}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=${socket}
CredType=cred/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
StateSaveLocation=${folder}/state
SlurmctldPidFile=${folder}/run/slurmctld.pid
SlurmctldLogFile=${folder}/log/slurmctld.log
SlurmdSpoolDir=${folder}/spool-%n
SlurmdPidFile=${folder}/run/slurmd-%n.pid
SlurmdLogFile=${folder}/log/slurmd-%n.log
SchedulerParameters=nohold_on_prolog_fail,sched_interval=2,bf_interval=2
${settings.replaceAll('FOLDER', folder)}
${lines.join('\n')}
PartitionName=p Nodes=${names.join(',')} Default=YES State=UP
`,
  );
  const environment = { ...process.env, SLURM_CONF: join(folder, 'slurm.conf') };
  const call: Slurm['call'] = async ([name = '', ...words], more = {}) => {
    try {
      return {
        code: 0,
        ...(await run(programPath(name) ?? name, words, { env: { ...environment, ...more }, cwd: folder })),
      };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as { code?: number; stdout?: string; stderr?: string };
      return { code: typeof code === 'number' ? code : 1, stdout, stderr };
    }
  };
  closers.push(() => stopByPidFiles(join(folder, 'run')));
  await call(['slurmctld', '-f', join(folder, 'slurm.conf')]);
  for (const node of names) await call(['slurmd', '-f', join(folder, 'slurm.conf'), '-N', node]);
  await until(
    'the nodes to be idle',
    async () =>
      (await call(['sinfo', '-h', '-N', '-o', '%T'])).stdout.split('\n').filter((state) => state === 'idle').length ===
      nodes,
    200,
    60_000,
  );
  return { folder, call, nodes: names };
}

/** munged with a key and a socket of the test's own; it refuses to run as root. */
async function startMunge(folder: string, closers: (() => Promise<void>)[]): Promise<string> {
  const home = join(folder, 'munge');
  await mkdir(home);
  const { stdout } = await run('id', ['-u', 'munge']);
  const uid = Number(stdout);
  await writeFile(join(home, 'key'), randomBytes(1024), { mode: 0o400 });
  for (const path of [home, join(home, 'key')]) await chown(path, uid, uid);
  await chmod(home, 0o755);
  const files = {
    socket: join(home, 'socket'),
    'pid-file': join(home, 'munged.pid'),
    'log-file': join(home, 'log'),
    'key-file': join(home, 'key'),
    'seed-file': join(home, 'seed'),
  };
  await run('setpriv', [
    '--reuid=munge',
    '--regid=munge',
    '--clear-groups',
    programPath('munged') ?? '',
    '--force',
    ...Object.entries(files).map(([name, path]) => `--${name}=${path}`),
  ]);
  closers.push(() => stopByPidFiles(home));
  return files.socket;
}

async function stopByPidFiles(folder: string): Promise<void> {
  for (const name of (await readdir(folder)).filter((file) => file.endsWith('.pid'))) {
    const pid = Number(await readFile(join(folder, name), 'utf8').catch(() => ''));
    if (!(pid > 1)) continue;
    signal(pid, 'SIGTERM');
    await until(`${name} to end`, () => !signal(pid, 0), 50, 15_000).catch(() => signal(pid, 'SIGKILL'));
  }
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
