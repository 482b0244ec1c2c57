import { createInterface } from 'node:readline';
import { execa } from 'execa';
import { FAVOURED } from './favoured.ts';

const LAST_WORDS_MS = 5_000;

/** The measured interface of every node; `ctl` is the other one. */
export const MEASURED = 'eth0';

export interface LabNode {
  number: number;
  /** name for `ip netns` */
  namespace: string;
  /** on the measured network */
  address: string;
  /** namespace and name of the interface at the other end of the measured cable */
  switch_namespace: string;
  switch_port: string;
  rate_mbit: number;
  /** Starts a program in the node, in its own process group. It ends with the lab or the process that created the lab. */
  start: (program: string, words: readonly string[], options?: StartOptions) => NodeProcess;
  /** Kills everything that `start` started, by process id. */
  endProcesses: () => Promise<void>;
}

export interface StartOptions {
  env?: Record<string, string>;
  /** seconds by which the node's monotonic and boot-time clocks are ahead of the machine's */
  clock_ahead_seconds?: number;
  onLine?: (line: string) => void;
}

export interface NodeProcess {
  pid: number;
  /** Sends a signal to the whole group: the program and what it started. Does nothing if it has ended. */
  signal: (name: 'SIGTERM' | 'SIGKILL' | 'SIGSTOP' | 'SIGCONT') => void;
  /**
   * Gives it and all its threads priority over everything else on this machine. A node of a real cluster has its cores to
   * itself; here other processes start, build or test on the same two.
   */
  favour: () => void;
  ended: Promise<{ exit_code: number | null; stdout: string; stderr: string }>;
}

/** The part of a node that runs programs. */
export function nodeProcesses(namespace: string): Pick<LabNode, 'start' | 'endProcesses'> {
  const running = new Set<NodeProcess>();
  return {
    start: (program, words, options = {}) => {
      const started = startIn(namespace, [program, ...words], options);
      running.add(started);
      void started.ended.finally(() => running.delete(started));
      return started;
    },
    endProcesses: async () => {
      const all = [...running];
      for (const { signal } of all) signal('SIGKILL');
      await Promise.race([
        Promise.all(all.map(({ ended }) => ended)),
        new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS).unref()),
      ]);
    },
  };
}

function startIn(namespace: string, command: readonly string[], options: StartOptions): NodeProcess {
  const ahead = options.clock_ahead_seconds;
  const clock =
    ahead === undefined
      ? []
      : ['unshare', '--time', '--fork', '--kill-child', `--monotonic=${ahead}`, `--boottime=${ahead}`];
  const words = ['--pdeathsig', 'KILL', '--', 'ip', 'netns', 'exec', namespace, ...clock, ...command];
  const child = execa('setpriv', words, {
    env: options.env ?? {},
    stdin: 'ignore',
    // Its own process group, so that it can be stopped or killed together with its children.
    detached: true,
    cleanup: false,
    reject: false,
  });
  if (options.onLine !== undefined) createInterface({ input: child.stdout }).on('line', options.onLine);
  const pid = child.pid;
  if (pid === undefined) throw new Error(`setpriv could not be started for ${namespace}`);
  return {
    pid,
    signal: (name) => {
      try {
        process.kill(-pid, name);
      } catch {
        // it has ended
      }
    },
    favour: () => void execa('renice', ['-n', String(FAVOURED), '-g', String(pid)], { reject: false }),
    ended: child.then(({ exitCode, stdout, stderr }) => ({ exit_code: exitCode ?? null, stdout, stderr })),
  };
}
