import { isIP } from 'node:net';
import { isLoopback } from '../../contract/address-networks.ts';
import { DatabaseStartError } from './database-start.ts';

export type DatabaseTarget = {
  host: string;
  port: number;
  database: string;
  user: string;
  pass?: string;
  ssl: false | 'prefer' | 'require' | 'verify-full';
};

/**
 * The modes of libpq. `disable`: no TLS; `prefer`: TLS if the server supports it; `require`: TLS or no connection, but the server
 * is not verified; `verify-full`: the certificate names the host and its chain leads to an authority that Node trusts (or
 * NODE_EXTRA_CA_CERTS). `allow` and `verify-ca` are not supported: the driver has neither, and using another mode instead
 * would be a guess.
 */
const SSL_MODES = { disable: false, prefer: 'prefer', require: 'require', 'verify-full': 'verify-full' } as const;

/** Parameters that occur in the URLs of hosted services and can safely be ignored. */
const IGNORED = new Set(['channel_binding', 'gssencmode', 'application_name', 'connect_timeout']);

/**
 * Parses postgres://USER:PASSWORD@HOST:PORT/DATABASE?sslmode=...; a `host` parameter that begins with
 * a slash names a socket directory. Throws `DatabaseStartError`; the message never repeats the URL.
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new DatabaseStartError('DATABASE_URL must look like postgres://USER:PASSWORD@HOST:5432/DATABASE.');
  }
  const query = Object.fromEntries(url.searchParams);
  const {
    host = decode(url.hostname.replace(/^\[(.*)\]$/, '$1')),
    port = url.port || '5432',
    sslmode = 'prefer',
    ...rest
  } = query;
  const unknown = Object.keys(rest).find((name) => !IGNORED.has(name));
  if (unknown) throw new DatabaseStartError(`DATABASE_URL has the parameter "${unknown}", which is not supported.`);
  if (!isSslMode(sslmode))
    throw new DatabaseStartError(`DATABASE_URL: sslmode must be one of ${Object.keys(SSL_MODES).join(', ')}.`);
  const user = decode(url.username);
  const database = decode(url.pathname.slice(1)) || user;
  if (!user || !host) throw new DatabaseStartError('DATABASE_URL must name a user and a host.');
  const local = host.startsWith('/');
  return {
    host,
    port: Number(port),
    database,
    user,
    ...(url.password ? { pass: decode(url.password) } : {}),
    ssl: local ? false : SSL_MODES[sslmode],
  };
}

/** A warning if the server could be an impostor, as it is reached over a network without a certificate check; otherwise null. */
export function unverifiedServer({ host, ssl }: Pick<DatabaseTarget, 'host' | 'ssl'>): string | null {
  if (host.startsWith('/') || host === 'localhost' || (isIP(host) > 0 && isLoopback(host)) || ssl === 'verify-full')
    return null;
  return `DATABASE_URL: sslmode=${ssl === false ? 'disable' : ssl} does not check who answers at ${host}; verify-full does`;
}

/** The target in words, for logs and messages, without the password. */
export function describeTarget(target: { host: string; port: number; database: string; user: string }): string {
  const at = target.host.startsWith('/') ? target.host : `${target.host}:${target.port}`;
  return `database "${target.database}" at ${at} as user "${target.user}"`;
}

function isSslMode(mode: string): mode is keyof typeof SSL_MODES {
  return Object.hasOwn(SSL_MODES, mode);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DatabaseStartError('DATABASE_URL holds a "%" that does not begin an escape; write it as %25.');
  }
}
