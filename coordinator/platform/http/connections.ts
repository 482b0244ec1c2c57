import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { MiddlewareHandler } from 'hono';
import { addressKey } from '../address-blocks.ts';
import { DomainError } from '../errors.ts';
import type { HttpEnv } from './http-env.ts';

export interface ConnectionLimits {
  /** In total, and per address. */
  maxConnections: number;
  maxConnectionsPerAddress: number;
  /** Bytes of answers that one address has requested and not read. */
  answerBytesPerAddress: number;
  /** Milliseconds within which the client must read at least some of an answer. */
  answerTimeoutMs: number;
}

type Serve = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  socket: Socket;
  key: string;
  openedAt: number;
  served: number;
  busy: boolean;
  /** Pipelined requests: received before the previous answer was read. */
  queue: [IncomingMessage, ServerResponse][];
  /** Bytes sent to the client when an answer last made progress, and when that was. */
  written: number;
  movedAt: number;
}

/** Maximum number of queued pipelined requests per connection; our own clients do not pipeline. */
const MOST_PIPELINED = 8;
/** Milliseconds that a new connection has for its first request before it may be closed to make room. */
const FIRST_REQUEST_MS = 1000;
const SWEEP_MS = 250;
/** Limit of unread answers for all addresses together, as a multiple of the limit per address. */
const ADDRESSES_OF_ANSWERS = 8;

/**
 * Bounds the cost of connections. At the limit per address, one of its own idle connections is closed to make room; at the
 * total limit, one of the address with the most, so that one address cannot keep others out. A connection's next request waits
 * until the previous answer is read; a connection whose answer is not read is closed. Calls `serve` for each request in turn.
 */
export function boundConnections(server: Server | TlsServer, limits: ConnectionLimits, serve: Serve): void {
  const groups = new Map<string, Set<Connection>>();
  const bySocket = new WeakMap<Socket, Connection>();
  let all = 0;

  // Either event passes the socket that requests refer to: with TLS, the one that the handshake created.
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    const key = addressKey(socket.remoteAddress);
    const group = groups.get(key) ?? new Set();
    if (group.size >= limits.maxConnectionsPerAddress && !shedIdle(group)) return void socket.destroy();
    if (all >= limits.maxConnections && !makeRoom(groups, group)) return void socket.destroy();
    const now = performance.now();
    const connection = { socket, key, openedAt: now, served: 0, busy: false, queue: [], written: 0, movedAt: now };
    groups.set(key, group.add(connection));
    bySocket.set(socket, connection);
    all += 1;
    socket.once('close', () => {
      all -= 1;
      group.delete(connection);
      if (group.size === 0 && groups.get(key) === group) groups.delete(key);
    });
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const connection = bySocket.get(request.socket);
    if (!connection) return;
    if (!connection.busy) return begin(connection, request, response);
    if (connection.queue.length >= MOST_PIPELINED) return void connection.socket.destroy();
    connection.queue.push([request, response]);
  });
  const begin = (connection: Connection, request: IncomingMessage, response: ServerResponse): void => {
    connection.busy = true;
    connection.served += 1;
    response.once('close', () => {
      connection.busy = false;
      const group = groups.get(connection.key);
      // Moves it to the end, so that the connection that has been idle longest is found first.
      if (group?.delete(connection)) group.add(connection);
      const next = connection.queue.shift();
      if (next && !connection.socket.destroyed) begin(connection, ...next);
    });
    serve(request, response);
  };
  const sweep = setInterval(() => sweepAnswers(groups, limits), SWEEP_MS).unref();
  server.once('close', () => clearInterval(sweep));
}

/** Closes one idle connection of the group: one that has been served before, else one that has sent no request in time. */
function shedIdle(group: Set<Connection>): boolean {
  const old = performance.now() - FIRST_REQUEST_MS;
  let silent: Connection | undefined;
  for (const connection of group) {
    if (connection.busy) continue;
    if (connection.served > 0) return end(group, connection);
    if (connection.openedAt < old) silent ??= connection;
  }
  return silent !== undefined && end(group, silent);
}

/** Closes a connection of the largest group: an idle one, or its first if the group is larger than `own` would become. */
function makeRoom(groups: Map<string, Set<Connection>>, own: Set<Connection>): boolean {
  const largest = [...groups.values()].reduce((a, b) => (b.size > a.size ? b : a), own);
  if (shedIdle(largest)) return true;
  const [first] = largest;
  return largest.size > own.size + 1 && first !== undefined && end(largest, first);
}

function end(group: Set<Connection>, connection: Connection): true {
  group.delete(connection);
  connection.socket.destroy();
  return true;
}

/** Closes connections whose answers make no progress and, while too many bytes are unread, those with the most. */
function sweepAnswers(
  groups: Map<string, Set<Connection>>,
  { answerBytesPerAddress, answerTimeoutMs }: ConnectionLimits,
): void {
  const now = performance.now();
  const everybody: Connection[] = [];
  for (const group of groups.values()) {
    const unread = [...group].filter(({ socket }) => socket.writableLength > 0);
    for (const connection of unread) {
      const written = connection.socket.bytesWritten - connection.socket.writableLength;
      if (written !== connection.written) {
        connection.written = written;
        connection.movedAt = now;
      } else if (now - connection.movedAt > answerTimeoutMs) connection.socket.destroy();
    }
    endLargest(unread, answerBytesPerAddress);
    everybody.push(...unread);
  }
  endLargest(everybody, answerBytesPerAddress * ADDRESSES_OF_ANSWERS);
}

function endLargest(connections: Connection[], most: number): void {
  const held = connections.filter(({ socket }) => !socket.destroyed);
  let total = held.reduce((sum, { socket }) => sum + socket.writableLength, 0);
  if (total <= most) return;
  for (const { socket } of held.toSorted((a, b) => b.socket.writableLength - a.socket.writableLength)) {
    if (total <= most) return;
    total -= socket.writableLength;
    socket.destroy();
  }
}

/** Counts the unanswered requests of each address. */
export interface UnansweredRequests {
  /** Throws `rate_limited` if the address has too many; pass the result to `end` once the request is answered. */
  begin: (address: string | null) => string;
  end: (key: string) => void;
}

/** At most `most` unanswered requests per address. Unlike connections, they can be counted behind proxies too. */
export function unansweredRequests(most: number): UnansweredRequests {
  const counts = new Map<string, number>();
  return {
    begin: (address) => {
      const key = addressKey(address);
      const before = counts.get(key) ?? 0;
      if (before >= most) {
        const message = `At most ${most} requests of one address are answered at once; send this one again.`;
        throw new DomainError('rate_limited', message, { retryAfterSeconds: 1 });
      }
      counts.set(key, before + 1);
      return key;
    },
    end: (key) => {
      const left = (counts.get(key) ?? 1) - 1;
      if (left > 0) counts.set(key, left);
      else counts.delete(key);
    },
  };
}

export function limitRequests(unanswered: UnansweredRequests): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const key = unanswered.begin(c.get('client').address);
    try {
      await next();
    } finally {
      unanswered.end(key);
    }
  };
}
