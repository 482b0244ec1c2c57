import { readFileSync } from 'node:fs';
import { cgroupMemory, cgroupTasks, type ReadText } from '../run/cgroup.ts';
import { RunnerError } from './runner-error.ts';

/**
 * The limit of this machine or session that kept a program from being started; null if it was something else.
 * @param error of spawn, or a result that has its `code`
 */
export function startFailure(error: unknown, read: ReadText = readSystem): RunnerError | null {
  const code = error !== null && typeof error === 'object' && 'code' in error ? error.code : null;
  const limit = typeof code === 'string' ? LIMITS[code] : undefined;
  if (limit === undefined) return null;
  const { what, remedy } = limit(read);
  return new RunnerError('limit', `no program can be started (${String(code)}): ${what}`, remedy, error);
}

type Explain = (read: ReadText) => { what: string; remedy: string };

/** The errors of fork(2), execve(2) and pipe(2) that are limits. */
const LIMITS: Readonly<Record<string, Explain>> = {
  EAGAIN: (read) => {
    const tasks = cgroupTasks(read);
    return {
      what: `the limit of processes is reached: RLIMIT_NPROC ${ownLimit(read, 'Max processes')}, cgroup pids.max ${tasks ?? 'none'}`,
      remedy:
        'Raise it (ulimit -u; TasksMax= of systemd; --pids-limit of the container), or end other programs of this user.',
    };
  },
  EMFILE: (read) => ({
    what: `the limit of open files is reached: RLIMIT_NOFILE ${ownLimit(read, 'Max open files')}`,
    remedy: 'Raise it: ulimit -n; LimitNOFILE= of systemd; --ulimit nofile=65536 of the container.',
  }),
  ENFILE: (read) => ({
    what: `the machine’s limit of open files is reached: fs.file-max ${read('/proc/sys/fs/file-max') ?? 'unknown'}`,
    remedy: 'Raise it (sysctl fs.file-max), or end the program that holds most of them.',
  }),
  ENOMEM: (read) => {
    const bytes = cgroupMemory(read);
    return {
      what: `there is not enough memory; cgroup limit: ${bytes === null ? 'none' : `${(bytes / 1e9).toFixed(2)} GB`}`,
      remedy: 'Free memory, or raise the limit of the container or job; see also vm.overcommit_memory.',
    };
  },
};

/** The soft limit, a column of /proc/self/limits. */
const ownLimit = (read: ReadText, name: string): string =>
  new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(read(LIMITS_FILE) ?? limitsAtStart ?? '')?.[1] ?? 'unknown';

function readSystem(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch {
    return null;
  }
}

const LIMITS_FILE = '/proc/self/limits';
/** Read while there are file handles to read it with. */
const limitsAtStart = readSystem(LIMITS_FILE);
