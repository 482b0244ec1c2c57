import { randomBytes } from 'node:crypto';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../../coordinator/commands/program.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command of the coordinator inside this process, over given environment and standard input. */
export async function run(argv: string[], environment: Record<string, string>, stdin = ''): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const code = await runProgram(argv, {
    environment: { LOG_LEVEL: 'silent', ...environment },
    now: () => new Date(),
    randomBytes,
    stdin: Readable.from([stdin]),
    stdout: collector(out),
    stderr: collector(err),
    onStop: () => undefined,
    exit: () => undefined,
  });
  return { code, stdout: out.join(''), stderr: err.join('') };
}

const collector = (into: string[]): Writable =>
  new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      into.push(chunk.toString());
      done();
    },
  });
