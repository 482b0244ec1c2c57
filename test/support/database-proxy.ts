import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { parseDatabaseUrl } from '../../coordinator/platform/db/database-url.ts';

/**
 * How the proxy treats connections: `forward` both ways; `silent` accepts and says nothing (half-open);
 * `close` ends each cleanly after its first bytes; `freeze` holds back what open connections say too.
 */
export type ProxyMode = 'forward' | 'silent' | 'close' | 'freeze';

export type DatabaseProxy = {
  /** The database through the proxy, over TCP on 127.0.0.1. */
  url: string;
  mode: ProxyMode;
  /** Connections accepted so far. */
  accepted: number;
  close: () => Promise<void>;
};

/** A TCP proxy before the database of `url`, for faults of the network. */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = parseDatabaseUrl(url);
  const open = new Set<Socket>();
  const server = createServer((client) => {
    proxy.accepted += 1;
    open.add(client);
    client.once('close', () => open.delete(client));
    client.on('error', () => undefined);
    if (proxy.mode === 'close') client.once('data', () => client.end());
    else if (proxy.mode === 'forward') forward(client);
    else client.resume();
  });
  const forward = (client: Socket) => {
    const upstream = target.host.startsWith('/')
      ? connect(`${target.host}/.s.PGSQL.${target.port}`)
      : connect(target.port, target.host);
    upstream.on('error', () => client.destroy());
    client.on('data', (chunk) => proxy.mode === 'freeze' || upstream.write(chunk));
    upstream.on('data', (chunk) => proxy.mode === 'freeze' || client.write(chunk));
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.end());
  };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  // A server listening on TCP has such an address.
  const { port } = server.address() as AddressInfo;
  const proxy: DatabaseProxy = {
    url: `postgres://${target.user}:${target.pass ?? ''}@127.0.0.1:${port}/${target.database}?sslmode=disable`,
    mode: 'forward',
    accepted: 0,
    close: async () => {
      for (const socket of open) socket.destroy();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
