import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/**
 * How the proxy treats connections: `forward` both ways; `silent` accepts and says nothing (half-open);
 * `close` ends each cleanly after its first bytes; `freeze` holds back what open connections say too.
 */
type ProxyMode = 'forward' | 'silent' | 'close' | 'freeze';

export interface TcpProxy {
  /** On 127.0.0.1. */
  port: number;
  mode: ProxyMode;
  /** Connections accepted so far. */
  accepted: number;
  /** Leaves those open whose client's last words fit, but nothing passes any more; how many they are. Others go on. */
  freeze: (fits: (said: string) => boolean) => number;
  close: () => Promise<void>;
}

/** A TCP proxy before what `dial` connects to, for faults of the network. */
export async function startTcpProxy(dial: () => Socket): Promise<TcpProxy> {
  const open = new Map<Socket, { said: string; isFrozen: boolean }>();
  const server = createServer((client) => {
    proxy.accepted += 1;
    const state = { said: '', isFrozen: false };
    open.set(client, state);
    client.once('close', () => open.delete(client));
    client.on('error', () => undefined);
    if (proxy.mode === 'close') client.once('data', () => client.end());
    else if (proxy.mode === 'forward') forward(client, state);
    else client.resume();
  });
  const forward = (client: Socket, state: { said: string; isFrozen: boolean }) => {
    const isFrozen = () => state.isFrozen || proxy.mode === 'freeze';
    const upstream = dial();
    upstream.on('error', () => client.destroy());
    client.on('data', (chunk) => {
      state.said = chunk.toString('latin1');
      if (!isFrozen()) upstream.write(chunk);
    });
    upstream.on('data', (chunk) => isFrozen() || client.write(chunk));
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.end());
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: TcpProxy = {
    // A server listening on TCP has such an address.
    port: (server.address() as AddressInfo).port,
    mode: 'forward',
    accepted: 0,
    freeze: (fits) => {
      const chosen = [...open.values()].filter(({ said }) => fits(said));
      for (const state of chosen) state.isFrozen = true;
      return chosen.length;
    },
    close: async () => {
      for (const socket of open.keys()) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
