import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { connect } from 'node:net';

interface Asked {
  port: number;
  path: string;
  headers?: Record<string, string>;
  /** default: 127.0.0.1 */
  from?: string;
}

/** How a client leaves: after HEAD's answer, as soon as its GET is sent, or with the first bytes of the answer. */
export const departures = ['HEAD', 'sent', 'first bytes'] as const;
export type Departure = (typeof departures)[number];

/** One client that reads as little as it can, on a connection of its own, which is closed when this resolves. */
export async function hastyClient(
  { port, path, headers = {}, from = '127.0.0.1' }: Asked,
  how: Departure,
): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  const closed = once(socket, 'close');
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers });
  const method = how === 'HEAD' ? 'HEAD' : 'GET';
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
    () => {
      if (how === 'sent') socket.destroy();
    },
  );
  if (how === 'HEAD') socket.resume();
  else socket.once('data', () => socket.destroy());
  await closed;
}

/** What the descriptors of a process are: paths of files, `socket:[N]` and the like. */
export async function openDescriptors(pid: number | 'self'): Promise<string[]> {
  const folder = `/proc/${pid}/fd`;
  const names = await readdir(folder);
  const found = await Promise.all(names.map((name) => readlink(`${folder}/${name}`).catch(() => null)));
  return found.filter((target) => target !== null);
}
