import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const FIRST = 20_000;

/**
 * Ports of 127.0.0.1 for daemons that can neither choose one themselves nor inherit a socket: below those that the system
 * chooses from, so that no program gets one by chance, and kept from other tests for the life of this process.
 */
export async function reservePorts(count: number): Promise<number[]> {
  const [end = 0] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/).map(Number);
  const found: number[] = [];
  for (let port = FIRST; port < end && found.length < count; port += 1)
    // A name that one process at a time can have, and that goes with it.
    if ((await opens(`\0gpumark-test-port-${port}`, { keep: true })) && (await opens(port, { keep: false })))
      found.push(port);
  if (found.length < count) throw new Error(`no ${count} free ports from ${FIRST} to ${end}`);
  return found;
}

const opens = (at: number | string, { keep }: { keep: boolean }): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .unref();
    const isOpen = (): void => void (keep ? resolve(true) : server.close(() => resolve(true)));
    if (typeof at === 'string') server.listen(at, isOpen);
    else server.listen(at, '127.0.0.1', isOpen);
  });
