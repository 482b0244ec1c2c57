import { once } from 'node:events';
import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, Server as TlsServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import type { Config } from '../config.ts';
import { AnswerResponse } from './headers.ts';
import type { Certificate } from './certificate.ts';
import { boundConnections, type ConnectionLimits } from './connections.ts';
import type { HttpApp } from './mount.ts';

export interface ServeLimits extends ConnectionLimits {
  /** Milliseconds for the request's head; a client that sends its headers more slowly is disconnected. */
  headersTimeoutMs: number;
  /** Milliseconds for head and body together. */
  requestTimeoutMs: number;
  /** Longer than the idle timeout of the usual proxies (60 s), so that they close first and never use a closed socket. */
  keepAliveTimeoutMs: number;
  maxHeaderBytes: number;
  /** Milliseconds that requests in flight have to finish once shutdown has begun. */
  drainDeadlineMs: number;
}

export const defaultLimits: ServeLimits = {
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 60_000,
  keepAliveTimeoutMs: 65_000,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 10_000,
  maxConnectionsPerAddress: 512,
  answerBytesPerAddress: 64 << 20,
  answerTimeoutMs: 60_000,
  drainDeadlineMs: 10_000,
};

/** The limits from the settings. Behind proxies all connections come from them, so there is no limit per address. */
export const limitsOf = ({ intake, trustedProxies }: Pick<Config, 'intake' | 'trustedProxies'>): ServeLimits => ({
  ...defaultLimits,
  maxConnections: intake.connections,
  maxConnectionsPerAddress: trustedProxies > 0 ? intake.connections : intake.connectionsPerAddress,
  answerBytesPerAddress: trustedProxies > 0 ? intake.bodyBytes : intake.answerBytesPerAddress,
});

/** Connections that node accepts beyond the limit, so that one of another address can be closed to make room. */
const SPARE_CONNECTIONS = 256;
/** How often node checks for requests past their timeout, and shutdown for connections that became idle. */
const CHECK_MS = 1000;
const IDLE_CHECK_MS = 25;

export interface Listening {
  port: number;
  url: string;
  server: Server | TlsServer;
  /** Stops accepting, lets requests in flight finish within the deadline, then closes all connections. Resolves when closed. */
  stop: () => Promise<void>;
}

/** Starts listening; port 0 picks a free port. Rejects with a one-sentence message if the address is not available. */
export async function listen(
  app: Pick<HttpApp, 'fetch' | 'first'>,
  address: { host: string; port: number },
  limits: ServeLimits = defaultLimits,
  certificate: Pick<Certificate, 'cert' | 'key'> | null = null,
): Promise<Listening> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    ...(certificate ? { createServer: createTlsServer } : {}),
    serverOptions: {
      ServerResponse: AnswerResponse,
      ...(certificate ? { ...certificate, handshakeTimeout: limits.headersTimeoutMs, minVersion: 'TLSv1.2' } : {}),
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: Math.min(CHECK_MS, limits.headersTimeoutMs),
    },
  });
  if (!(server instanceof Server || server instanceof TlsServer)) throw new Error('expected a server of HTTP/1');
  // The client does not trust the certificate, or does not speak TLS.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  serveAll(server, app.first, limits);
  server.maxConnections = limits.maxConnections + SPARE_CONNECTIONS;
  server.listen(address.port, address.host);
  await once(server, 'listening').catch((error: unknown) => {
    throw new Error(`HOST and PORT: cannot listen on ${address.host}:${address.port} (${reasonOf(error)}).`, {
      cause: error,
    });
  });
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the listener has no port');
  return {
    port: bound.port,
    server,
    url: `${certificate ? 'https' : 'http'}://${address.host.includes(':') ? `[${address.host}]` : address.host}:${bound.port}`,
    stop: () => drain(server, limits.drainDeadlineMs),
  };
}

/** Puts the limits and the app's `first` in front of the adaptor's own listener. */
function serveAll(server: Server | TlsServer, first: HttpApp['first'], limits: ServeLimits): void {
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  boundConnections(server, limits, (request, response) => {
    if (hosts(request) > 1) return refuseHosts(response);
    if (first?.(request, response)) return;
    for (const listener of listeners) listener.call(server, request, response);
  });
}

/** Two may be read differently by a proxy and by us (RFC 9112, 3.2); node refuses none at all, and keeps the first of several. */
function hosts({ rawHeaders }: IncomingMessage): number {
  let found = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.length === 4 && rawHeaders[at]?.toLowerCase() === 'host') found += 1;
  return found;
}

function refuseHosts(response: ServerResponse): void {
  response.writeHead(400, { Connection: 'close', 'Content-Type': 'text/plain; charset=utf-8' });
  response.end('Send one Host header.\n');
}

async function drain(server: Server | TlsServer, deadlineMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // close() closes the connections idle at this moment; those that become idle later are closed here.
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const cut = setTimeout(() => server.closeAllConnections(), deadlineMs);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(cut);
  }
}

const reasons: Record<string, string> = {
  EADDRINUSE: 'something else listens there',
  EACCES: 'not allowed',
  EADDRNOTAVAIL: 'no such address on this machine',
  ENOTFOUND: 'unknown host name',
};

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}
