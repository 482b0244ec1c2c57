import { execFile } from 'node:child_process';

/** The output for 16 cards is half a megabyte. */
const ANSWER_BYTES_MAX = 8 * 2 ** 20;
const QUOTED_MAX = 300;

export interface ProgramAnswer {
  program: string;
  stdout: string;
  stderr: string;
  /** `exit 14`, `killed by SIGSEGV`, `did not answer within 4000 ms`; null if it ended with 0. */
  end: string | null;
}

/**
 * What a vendor's program prints, however it ends: a failure of one card spoils the exit code, not the document. It is not
 * waited for beyond the deadline: a process in the hands of a driver that hangs cannot be killed.
 */
export async function askProgram(
  program: string,
  options: readonly string[],
  deadline: number,
  most = ANSWER_BYTES_MAX,
): Promise<ProgramAnswer> {
  return await new Promise((resolve) => {
    const child = execFile(program, options, { maxBuffer: most }, (error, stdout, stderr) => {
      clearTimeout(timer);
      resolve({ program, stdout, stderr, end: error === null ? null : endOf(error) });
    });
    let printed = '';
    child.stdout?.on('data', (chunk: string) => (printed += chunk));
    const timer = setTimeout(() => {
      resolve({ program, stdout: printed, stderr: '', end: `did not answer within ${deadline} ms` });
      child.kill('SIGKILL');
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.unref();
    }, deadline);
  });
}

function endOf(error: { code?: unknown; signal?: unknown }): string {
  if (error.code === 'ENOENT') return 'is not installed';
  if (typeof error.code === 'number') return `exit ${error.code}`;
  return typeof error.code === 'string' ? `failed (${error.code})` : `killed by ${String(error.signal)}`;
}

/**
 * One line about an answer that is not sound: how the program ended, what that means, and its own words; null if it ended
 * with 0 and said nothing beside its document.
 * @param beside what it printed to stdout beside the document
 * @param meanings of its exit codes
 */
export function complaintOf(
  { program, stderr, end }: ProgramAnswer,
  beside: string,
  meanings: Readonly<Record<string, string>> = {},
): string | null {
  const words = [beside, stderr].map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  if (end === null && words.length === 0) return null;
  const meaning = meanings[end ?? ''];
  const how = end === null ? [] : [meaning === undefined ? end : `${end} (${meaning})`];
  return `${program}: ${[...how, ...new Set(words)].join(': ')}`.slice(0, QUOTED_MAX);
}
