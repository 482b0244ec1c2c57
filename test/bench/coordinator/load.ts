import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Query that forces a call through the router instead of the fast lane. */
export const BY_ROUTER = '?by=router';

export interface Load {
  requests: number;
  seconds: number;
  /** milliseconds, one per request, unsorted */
  latencies: number[];
}

/**
 * Keeps one request in flight on each of `connections` for `seconds`. Requests are prepared byte strings and answers
 * are only counted, so that the load uses as little CPU as it can. Throws at any status but 200.
 */
export async function load(
  port: number,
  { connections, seconds, requestOf }: { connections: number; seconds: number; requestOf: (n: number) => Buffer },
): Promise<Load> {
  const sockets = await Promise.all(Array.from({ length: connections }, () => opened(port)));
  const latencies: number[] = [];
  let sent = 0;
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  stayAwake(() => performance.now() < endsAt);
  await Promise.all(
    sockets.map(async (socket) => {
      const answers = answersOf(socket);
      while (performance.now() < endsAt) {
        const at = performance.now();
        socket.write(requestOf((sent += 1)));
        await answers();
        latencies.push(performance.now() - at);
      }
      socket.destroy();
    }),
  );
  return { requests: latencies.length, seconds: (performance.now() - startedAt) / 1000, latencies };
}

/**
 * A sleeping process must be woken for each answer, which costs the sending core several microseconds, and more often
 * the less work there is here: a floor that keeps the load busy would look better than it is.
 */
function stayAwake(isNeeded: () => boolean): void {
  if (isNeeded()) setImmediate(stayAwake, isNeeded);
}

export const httpRequest = (method: string, path: string, token: string, body?: unknown, header = ''): Buffer => {
  const content = body === undefined ? '' : JSON.stringify(body);
  const entity =
    body === undefined ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n`;
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: Bearer ${token}\r\n${header}${entity}\r\n${content}`,
  );
};

async function opened(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  return socket;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/** A function that resolves when the next answer is complete. */
function answersOf(socket: Socket): () => Promise<void> {
  let wake: ((error?: Error) => void) | undefined;
  let missing = -1;
  let head: Buffer | null = null;
  const fail = (error: Error) => wake?.(error);
  socket.on('error', fail);
  socket.on('close', () => fail(new Error('the server closed the connection')));
  socket.on('data', (chunk: Buffer) => {
    if (missing < 0) {
      const whole: Buffer = head === null ? chunk : Buffer.concat([head, chunk]);
      const end = whole.indexOf(HEAD_END);
      head = end < 0 ? whole : null;
      if (end < 0) return;
      // Only the headers are decoded: the body is many times as long.
      const text = whole.toString('latin1', 0, end);
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1];
      if (!text.startsWith('HTTP/1.1 200') || length === undefined)
        return fail(new Error(`unexpected answer: ${whole.toString('latin1', 0, 400)}`));
      missing = Number(length) - (whole.length - end - 4);
    } else {
      missing -= chunk.length;
    }
    if (missing === 0) {
      missing = -1;
      wake?.();
    }
  });
  return () =>
    new Promise((resolve, reject) => {
      wake = (error) => (error ? reject(error) : resolve());
    });
}

/** The value that a fraction `q` of them does not exceed. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = Float64Array.from(values).toSorted();
  const value = sorted[Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)];
  if (value === undefined) throw new RangeError('quantile of nothing');
  return value;
}
