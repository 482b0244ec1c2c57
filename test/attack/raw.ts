import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A bare connection from an address of loopback, for what no HTTP client sends. */
export interface Raw {
  socket: Socket;
  /** What has come back so far. */
  text: () => string;
  closed: () => boolean;
  /** Resolves with the status of the first answer, or null once the connection is closed without one. */
  status: Promise<number | null>;
}

/** Null: the connection was refused or closed before it stood. */
export async function dialRaw(port: number, localAddress: string): Promise<Raw | null> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  let text = '';
  const { promise: status, resolve } = Promise.withResolvers<number | null>();
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    if (text.length < 1000) text += chunk.toString('latin1');
    const found = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
    if (found !== undefined) resolve(Number(found));
  });
  socket.on('close', () => resolve(null));
  try {
    await once(socket, 'connect');
  } catch {
    return null;
  }
  return { socket, text: () => text, closed: () => socket.destroyed, status };
}

export const headOf = (method: string, path: string, headers: Record<string, string | number>): string =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: x',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');
