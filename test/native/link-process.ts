import { execa } from 'execa';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { until } from '../support/until.ts';
import { built } from './built-runner.ts';

export type LinkEvent = Record<string, unknown> & { event: string };

/** Milliseconds of CLOCK_MONOTONIC, the clock of the commands: Node's high-resolution time is the same one. */
export const monotonicMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export const freshKey = (): string => randomBytes(32).toString('hex');

const spawn = (command: readonly [string, ...string[]]) => {
  const [file, ...args] = command;
  return execa(file, args, { buffer: false, reject: false, stderr: 'inherit' });
};

/** One `gpumark-runner link`; its events are queued in order until a test reads them. */
export class LinkProcess {
  readonly #child: ReturnType<typeof spawn>;
  readonly #events: LinkEvent[] = [];
  readonly text: string[] = [];

  private constructor(child: ReturnType<typeof spawn>) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.text.push(line);
      this.#events.push(JSON.parse(line) as LinkEvent);
    });
  }

  /** `before`: a command that runs it, such as ip netns exec; `options`: of the runner. */
  static async start(options: readonly string[] = [], before: readonly string[] = []): Promise<LinkProcess> {
    const runner = await built('gpumark-runner');
    const [first, ...rest] = [...before, runner, 'link', ...options];
    const process = new LinkProcess(spawn([first ?? runner, ...rest]));
    await process.next('link_ready');
    return process;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  say(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  /** Resolves once the runner has read everything sent so far: sends an invalid command and waits for its refusal. */
  async heard(): Promise<void> {
    this.say('heard');
    await until('all is read', () => {
      const at = this.#events.findIndex((one) => one.event === 'error' && one['word'] === 'heard');
      return at >= 0 && this.#events.splice(at, 1).length > 0;
    });
  }

  /** The first unread event of this kind, and of this id if given. */
  async next(kind: string, id?: string): Promise<LinkEvent> {
    return until(
      `${kind} ${id ?? ''}`,
      () => {
        const at = this.#events.findIndex((one) => one.event === kind && (id === undefined || one['id'] === id));
        return at < 0 ? null : this.#events.splice(at, 1)[0];
      },
      5,
    );
  }

  /**
   * Has the runner emit an event at this time of its own clock. Returns a check whether the event of an id came before
   * it, which works however busy the machine is.
   */
  alarmAt(at: number): (id: string) => boolean {
    const alarm = `alarm.${Math.round(at)}`;
    this.say(`dial id=${alarm} key=${freshKey()} to=127.0.0.1:1 start=${at.toFixed(3)} timeout=1`);
    return (id) => {
      const place = (wanted: string): number => this.text.findIndex((line) => line.includes(`"id":"${wanted}"`));
      this.say(`cancel id=${alarm}`);
      return place(id) >= 0 && (place(alarm) < 0 || place(id) < place(alarm));
    };
  }

  /** Listens there and gives the port. */
  async listen(address = '127.0.0.1', ports = '0'): Promise<number> {
    this.say(`listen address=${address} ports=${ports}`);
    return Number((await this.next('listening'))['port']);
  }

  signal(name: 'SIGSTOP' | 'SIGCONT' | 'SIGKILL' | 'SIGTERM'): void {
    this.#child.kill(name);
  }

  /** Ends stdin and gives the exit code. */
  async close(): Promise<number | undefined> {
    this.#child.stdin.end();
    return (await this.#child).exitCode;
  }

  async exited(): Promise<number | undefined> {
    return (await this.#child).exitCode;
  }
}

export interface SlotRequest {
  id: string;
  address: string;
  port: number;
  length_ms: number;
  streams: number;
  key: string;
  /** from now */
  in_ms: number;
  more: string;
}

/** Starts the same slot at both ends, the listener first. Returns its start in monotonic milliseconds. */
export function beginSlot(listener: LinkProcess, dialer: LinkProcess, request: Partial<SlotRequest>): number {
  const start = monotonicMs() + (request.in_ms ?? 600);
  listener.say(listenLine(start, request));
  dialer.say(dialLine(start, request));
  return start;
}

const common = (start: number, request: Partial<SlotRequest>): string =>
  `id=${request.id ?? '1.1'} key=${request.key ?? '5a'.repeat(32)} start=${start.toFixed(3)} length=${request.length_ms ?? 2000} streams=${request.streams ?? 1}${request.more ?? ''}`;

export const listenLine = (start: number, request: Partial<SlotRequest>): string =>
  `slot role=listen local=${request.address ?? '127.0.0.1'} ${common(start, request)}`;

export const dialLine = (start: number, request: Partial<SlotRequest>): string =>
  `slot role=dial peer=${request.address ?? '127.0.0.1'}:${request.port ?? 0} ${common(start, request)}`;

export const object = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
