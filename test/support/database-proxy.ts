import { connect } from 'node:net';
import { parseDatabaseUrl } from '../../coordinator/platform/db/database-url.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

export type DatabaseProxy = TcpProxy & {
  /** The database through the proxy, over TCP on 127.0.0.1. */
  url: string;
};

/** A TCP proxy before the database of `url`. */
export async function startDatabaseProxy(url: string): Promise<DatabaseProxy> {
  const target = parseDatabaseUrl(url);
  const proxy = await startTcpProxy(() =>
    target.host.startsWith('/') ? connect(`${target.host}/.s.PGSQL.${target.port}`) : connect(target.port, target.host),
  );
  return Object.assign(proxy, {
    url: `postgres://${target.user}:${target.pass ?? ''}@127.0.0.1:${proxy.port}/${target.database}?sslmode=disable`,
  });
}
