import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface HttpProxy extends AsyncDisposable {
  url: string;
  /** `CONNECT host:port` of each tunnel, `GET http://host/path` of each forwarded request. */
  asked: string[];
  /** Proxy-Authorization of each of them. */
  logins: (string | undefined)[];
}

/**
 * An HTTP proxy as RFC 9110 describes it (CONNECT, and requests with an absolute URL), which resolves every name to
 * loopback. `refusal`: the status with which it answers everything instead.
 */
export async function httpProxy(refusal?: number): Promise<HttpProxy> {
  const proxy = { url: '', asked: [] as string[], logins: [] as (string | undefined)[] };
  const open = new Set<Socket>();
  const server = createServer((incoming, outgoing) => {
    proxy.asked.push(`${incoming.method} ${incoming.url}`);
    proxy.logins.push(incoming.headers['proxy-authorization']);
    if (refusal !== undefined) return void outgoing.writeHead(refusal).end('<html>of the proxy</html>');
    const { port, pathname, search } = new URL(incoming.url ?? '');
    const path = pathname + search;
    const forwarded = request(
      { host: '127.0.0.1', port, path, method: incoming.method, headers: incoming.headers },
      (answer) => void answer.pipe(outgoing.writeHead(answer.statusCode ?? 502, answer.headers)),
    );
    forwarded.on('error', () => outgoing.destroy());
    incoming.pipe(forwarded);
  });
  server.on('connect', (incoming, socket, head) => {
    proxy.asked.push(`CONNECT ${incoming.url}`);
    proxy.logins.push(incoming.headers['proxy-authorization']);
    if (refusal !== undefined) return void socket.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
    const target = connect(Number(incoming.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    open.add(target);
    for (const end of [target, socket]) end.on('error', () => void target.destroy());
    socket.on('close', () => void target.destroy());
  });
  server.on('connection', (socket) => open.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}
