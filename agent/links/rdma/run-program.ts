import { execa } from 'execa';
import { familyOf } from './process-family.ts';

export interface ProgramRequest {
  path: string;
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Seconds after which `timeout` of coreutils ends the program, even if this process has exited. */
  limit_seconds: number;
}

export interface ProgramEnd {
  /** null if it was ended by a signal or could not be started */
  exit_code: number | null;
  stdout: string;
  stderr: string;
  /** whether `stop` or the limit ended it */
  stopped: boolean;
}

export interface RunningProgram {
  /** pid of `timeout`, which leads the process group; null if nothing could be started */
  pid: number | null;
  ended: Promise<ProgramEnd>;
  /** SIGTERM to the whole group, SIGKILL `KILL_AFTER_MS` later; resolves when it has ended. */
  stop(): Promise<ProgramEnd>;
}

export type StartProgram = (request: ProgramRequest) => RunningProgram;

export const KILL_AFTER_MS = 100;
const OUTPUT_CHARACTERS_MAX = 256 * 1024;
/** Exit code of `timeout` if it ended the program. */
const TIMED_OUT = 124;

/**
 * Starts an external program in its own process group. perftest waits for its peer without a timeout, so an external
 * limit is set: after an agent is killed, no program survives longer than `limit_seconds`.
 */
export const startProgram: StartProgram = (request) => {
  const seconds = Math.max(1, Math.ceil(request.limit_seconds));
  const child = execa('timeout', ['-k', '1', String(seconds), request.path, ...request.args], {
    cwd: '/',
    reject: false,
    detached: true,
    stdin: 'ignore',
    maxBuffer: OUTPUT_CHARACTERS_MAX,
    // Messages are matched by text.
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

/** `timeout` is not killed while it has a child to reap: an orphan stays a zombie in many containers. */
function killAll(pid: number): void {
  const children = familyOf(pid).filter((member) => member !== pid);
  for (const target of children.length > 0 ? children : [-pid]) send(target, 'SIGKILL');
}

function send(target: number, name: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(target, name);
  } catch {
    // It has already ended.
  }
}
