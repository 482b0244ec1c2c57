import postgres from 'postgres';
import type { SocketConnection } from './embedded/readiness.ts';
import { parseDatabaseUrl } from './database-url.ts';
import { connect, type Socket } from 'node:net';

/** A pool of connections. */
export type Sql = postgres.Sql;
/** The handle inside `sql.begin(async (tx) => ...)`. */
export type Transaction = postgres.TransactionSql & TakesAnyJson;
/** What a query function takes: the pool or a transaction. */
export type Queryable = postgres.ISql & TakesAnyJson;

/** Widens the driver's declaration of `json`, which rejects interfaces and `unknown`. */
interface TakesAnyJson {
  /** A parameter for a json or jsonb column; null is NULL, not the `null` of JSON. */
  json(value: unknown): postgres.Parameter;
}

type ConnectOptions = {
  /** Exactly one of `url` (postgres://...) and `embedded` (from `startEmbeddedPostgres`). */
  url?: string;
  embedded?: SocketConnection;
  /** Maximum connections at a time; further queries are queued. Default 10. */
  max?: number;
  applicationName?: string;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  idleInTransactionTimeoutMs?: number;
  /** Default 5. */
  connectTimeoutSeconds?: number;
  /** False: the limits are set on the role (`limitRole`), since a pooler does not pass on startup parameters. Default true. */
  sendLimits?: boolean;
  /** False: no prepared statements, for poolers that lose them. Default true. */
  prepare?: boolean;
};

const CONNECT_TIMEOUT_SECONDS = 5;
const STATEMENT_TIMEOUT_MS = 15_000;
const LOCK_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 30_000;
/** Connections are renewed, so that a moved server or a slow leak in a backend has no lasting effect. */
const LIFETIME_SECONDS = 30 * 60;

/**
 * Opens a pool; nothing is sent before the first query. Values are returned as: int8 and numeric as
 * string (ids are strings on the wire; cast prices with `::float8`), date as string YYYY-MM-DD,
 * timestamptz as Date, json and jsonb parsed. A parameter that is `undefined` throws.
 * Throws `DatabaseStartError` when the URL is malformed.
 */
export function connectDatabase(options: ConnectOptions): Sql {
  const target = options.embedded ? { ...options.embedded, ssl: false } : parseDatabaseUrl(options.url ?? '');
  const { ssl, host } = target;
  // `socket` is an option of the driver that its type declaration omits, hence the named object.
  const settings = {
    ...target,
    // By default the driver checks for the name `localhost` if the host is an IP address, and leaves the rest to the environment.
    ssl: ssl === 'verify-full' ? { host, rejectUnauthorized: true } : ssl,
    socket: guardedSocket,
    max: options.max ?? 10,
    connect_timeout: options.connectTimeoutSeconds ?? CONNECT_TIMEOUT_SECONDS,
    max_lifetime: LIFETIME_SECONDS,
    idle_timeout: undefined,
    onnotice: () => undefined,
    prepare: options.prepare ?? true,
    types: { calendarDate: CALENDAR_DATE },
    connection: {
      application_name: options.applicationName ?? 'gpumark',
      ...(options.sendLimits === false
        ? {}
        : {
            statement_timeout: options.statementTimeoutMs ?? STATEMENT_TIMEOUT_MS,
            lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
            idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? IDLE_IN_TRANSACTION_TIMEOUT_MS,
          }),
      TimeZone: 'UTC',
    },
  };
  return postgres(settings);
}

/** Limits of every connection in milliseconds, under Postgres's names. */
export const DEFAULT_LIMITS = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  lock_timeout: LOCK_TIMEOUT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
} as const;

/** Type 1082, `date`: the interface needs YYYY-MM-DD, and a JS Date would introduce a time zone. */
const CALENDAR_DATE = {
  to: 1082,
  from: [1082],
  parse: (text: string) => text,
  serialize: (value: unknown) => {
    if (typeof value !== 'string') throw new TypeError('a date parameter must be a string YYYY-MM-DD');
    return value;
  },
};

/** What postgres.js passes to its `socket` option: its own parsed options. */
type Target = { path?: string | false; host: string[]; port: number[] };

/**
 * The socket of one connection. A server that closes cleanly while we log in makes postgres.js
 * reconnect endlessly, and the first query waits for ever (postgres.js 3.4.9, upstream 1193).
 * This socket treats an end sent by the server as an error, so the waiting query fails at once.
 * With TLS the driver drops our listener; in that case only `watchDatabase` detects it.
 */
function guardedSocket(target: Target): Socket {
  const host = target.host[0] ?? 'localhost';
  const port = target.port[0] ?? 5432;
  const socket = target.path ? connect(target.path) : connect({ host, port, noDelay: true });
  socket.once('end', () => {
    socket.destroy(
      Object.assign(new Error('the database server closed the connection'), { code: 'CONNECTION_CLOSED' }),
    );
  });
  // postgres.js reads the host name to check the server's certificate against it.
  return Object.assign(socket, { host, port });
}
