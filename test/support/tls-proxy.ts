import { request } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificates } from './certificates.ts';

export interface TlsProxy extends AsyncDisposable {
  url: string;
  /** Paths of the requests that came through: those of callers who trusted the certificate. */
  requests: string[];
}

/** TLS in front of a plain server, as nginx or Caddy would stand there; it says so in X-Forwarded-Proto. */
export async function tlsProxy(target: string, { key, cert }: Pick<Certificates, 'key' | 'cert'>): Promise<TlsProxy> {
  const requests: string[] = [];
  const server = createServer({ key, cert }, (incoming, outgoing) => {
    requests.push(incoming.url ?? '');
    const { hostname, port } = new URL(target);
    const headers = { ...incoming.headers, 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' };
    const forwarded = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers },
      (answer) => void answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  // A caller that does not trust the certificate hangs up.
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
