import { execa } from 'execa';
import { createInterface, type Interface } from 'node:readline';

/** A whole comparison takes about a minute; a program that hangs is killed after ten. */
const lifetimeMilliseconds = 600_000;

const spawn = (path: string, args: readonly string[], env: Record<string, string>) =>
  execa(path, [...args], { env, buffer: false, reject: false, stderr: 'ignore', timeout: lifetimeMilliseconds });

/** A program that measures once per line it reads and answers with numbers; it sleeps between requests. */
export class SliceProcess {
  /** the program's first line: a size, a kind, a core name */
  readonly greeting: string;
  readonly #child: ReturnType<typeof spawn>;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ReturnType<typeof spawn>, lines: AsyncIterator<string>, greeting: string) {
    this.#child = child;
    this.#lines = lines;
    this.greeting = greeting;
  }

  static async start(path: string, args: readonly string[], env: Record<string, string> = {}): Promise<SliceProcess> {
    const child = spawn(path, args, env);
    const reader: Interface = createInterface({ input: child.stdout });
    const lines = reader[Symbol.asyncIterator]();
    return new SliceProcess(child, lines, await nextLine(lines, path));
  }

  /** Runs one measurement and returns its numbers. */
  async measure(): Promise<number[]> {
    this.#child.stdin?.write('\n');
    const numbers = (await nextLine(this.#lines, 'the slice program')).split(' ').map(Number);
    if (numbers.some((value) => !(value > 0))) throw new Error(`not a measurement: ${numbers.join(' ')}`);
    return numbers;
  }

  async close(): Promise<void> {
    this.#child.stdin?.end();
    await this.#child;
  }
}

async function nextLine(lines: AsyncIterator<string>, who: string): Promise<string> {
  const { done, value } = await lines.next();
  if (done === true) throw new Error(`${who} ended before it answered`);
  return value;
}
