import { connect, type Socket } from 'node:net';

/** What postgres.js hands to its `socket` option: its own parsed options. */
type Target = { path?: string | false; host: string[]; port: number[] };

/**
 * The socket of one connection. A server that closes cleanly while we log in makes postgres.js
 * connect again without end, and the first query waits for ever (postgres.js 3.4.9, upstream 1193).
 * Here an end sent by the server is an error of the socket, so the waiting query fails at once.
 * Inside TLS the driver drops our listener; there `watchDatabase` is the guard.
 */
export function guardedSocket(target: Target): Socket {
  const host = target.host[0] ?? 'localhost';
  const port = target.port[0] ?? 5432;
  const socket = target.path ? connect(target.path) : connect({ host, port, noDelay: true });
  socket.once('end', () => {
    socket.destroy(
      Object.assign(new Error('the database server closed the connection'), { code: 'CONNECTION_CLOSED' }),
    );
  });
  // postgres.js reads the name to check the server's certificate against.
  return Object.assign(socket, { host, port });
}
