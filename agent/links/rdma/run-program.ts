import { execa } from 'execa';
import { familyOf } from './process-family.ts';

export interface ProgramRequest {
  path: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Seconds after which the program is ended even if this process is gone; `timeout` of coreutils counts them. */
  limit_seconds: number;
}

export interface ProgramEnd {
  /** null if a signal ended it or it could not be started */
  exit_code: number | null;
  stdout: string;
  stderr: string;
  /** whether `stop` or the limit ended it */
  stopped: boolean;
}

export interface RunningProgram {
  /** of `timeout`, which leads the process group; null if nothing could be started */
  pid: number | null;
  ended: Promise<ProgramEnd>;
  /** SIGTERM to the whole group, SIGKILL `KILL_AFTER_MS` later; resolves when it has ended. */
  stop(): Promise<ProgramEnd>;
}

export type StartProgram = (request: ProgramRequest) => RunningProgram;

export const KILL_AFTER_MS = 100;
const OUTPUT_CHARACTERS_MAX = 256 * 1024;
/** What `timeout` exits with if it ended the program itself. */
const TIMED_OUT = 124;

/**
 * Starts a program of other people in a process group of its own. perftest waits for its peer for ever and knows no limit,
 * so a limit stands outside: an agent that is killed leaves nothing behind for longer than `limit_seconds`.
 */
export const startProgram: StartProgram = (request) => {
  const seconds = Math.max(1, Math.ceil(request.limit_seconds));
  const child = execa('timeout', ['-k', '1', String(seconds), request.path, ...request.args], {
    cwd: '/',
    reject: false,
    detached: true,
    stdin: 'ignore',
    maxBuffer: OUTPUT_CHARACTERS_MAX,
    // Messages are searched for words.
    env: { LC_ALL: 'C', ...request.env },
  });
  const pid = child.pid ?? null;
  const state = { stopped: false, over: false };
  const ended = child.then((end): ProgramEnd => {
    state.over = true;
    const exitCode = end.exitCode ?? null;
    return {
      exit_code: exitCode,
      stdout: end.stdout,
      stderr: end.stderr,
      stopped: state.stopped || exitCode === TIMED_OUT,
    };
  });
  const stop = async (): Promise<ProgramEnd> => {
    state.stopped ||= !state.over;
    if (pid !== null && !state.over) send(-pid, 'SIGTERM');
    const kill = setTimeout(() => {
      if (pid !== null && !state.over) killAll(pid);
    }, KILL_AFTER_MS);
    const end = await ended;
    clearTimeout(kill);
    return end;
  };
  return { pid, ended, stop };
};

/** `timeout` is not killed while it still has a child to reap: a child without a parent stays a zombie in many containers. */
function killAll(pid: number): void {
  const children = familyOf(pid).filter((member) => member !== pid);
  for (const target of children.length > 0 ? children : [-pid]) send(target, 'SIGKILL');
}

function send(target: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, name);
  } catch {
    // It has just ended by itself.
  }
}
