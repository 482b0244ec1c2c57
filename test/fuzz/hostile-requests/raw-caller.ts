import { connect, type Socket } from 'node:net';

export interface Answer {
  status: number;
  /** The first few thousand bytes. */
  body: string;
  ms: number;
}

const MOST_KEPT = 4000;
/** Milliseconds that an unanswerable request gets. */
const PATIENCE_MS = 40;
/** How slow the slowest answer may be is judged by the program; this names a hang. */
const DEADLINE_MS = 240_000;

/** Writes bytes as they are and reads one answer; a connection is kept as long as both sides are in step. */
export class RawCaller {
  private readonly port: number;
  private readonly localAddress: string;
  private socket: Socket | null = null;

  constructor(port: number, localAddress: string) {
    this.port = port;
    this.localAddress = localAddress;
  }

  /** Null: no answer came. `head`: the answer has no body. */
  async send(bytes: Buffer, { answerable, head }: { answerable: boolean; head: boolean }): Promise<Answer | null> {
    const socket = (this.socket ??= connect({ port: this.port, host: '127.0.0.1', localAddress: this.localAddress }));
    const began = performance.now();
    const answer = await new Promise<Omit<Answer, 'ms'> | null>((resolve) => {
      let text = Buffer.alloc(0);
      const done = (value: Omit<Answer, 'ms'> | null, keep: boolean) => {
        clearTimeout(timer);
        socket.removeAllListeners();
        socket.on('error', () => undefined);
        if (!keep) this.drop(socket);
        resolve(value);
      };
      const timer = setTimeout(() => done(null, false), answerable ? DEADLINE_MS : PATIENCE_MS);
      socket.on('data', (chunk: Buffer) => {
        text = Buffer.concat([text, chunk]);
        const found = parse(text, head);
        if (found) done(found, answerable && !found.closes);
      });
      socket.on('error', () => done(parse(text, true), false));
      socket.on('close', () => done(parse(text, true), false));
      socket.write(bytes);
    });
    return answer && { ...answer, ms: performance.now() - began };
  }

  close(): void {
    if (this.socket) this.drop(this.socket);
  }

  private drop(socket: Socket): void {
    socket.destroy();
    this.socket = null;
  }
}

/** The answer, once all of it is there. */
function parse(bytes: Buffer, head: boolean): { status: number; body: string; closes: boolean } | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const lines = bytes.toString('latin1', 0, end).split('\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(lines[0] ?? '')?.[1]);
  const header = (name: string) =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${name}:`))
      ?.slice(name.length + 1)
      .trim();
  if (status === 100) return parse(bytes.subarray(end + 4), head);
  const closes = header('connection')?.toLowerCase() === 'close';
  const body = bytes.subarray(end + 4);
  const whole = { status, body: body.toString('utf8', 0, MOST_KEPT), closes };
  if (head || status === 204 || status === 304) return whole;
  const length = header('content-length');
  if (length !== undefined) return body.length >= Number(length) ? whole : null;
  if (header('transfer-encoding') !== undefined) return body.toString('latin1').endsWith('0\r\n\r\n') ? whole : null;
  return whole;
}
