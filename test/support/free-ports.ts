import { createServer } from 'node:net';

/** Ports that were free a moment ago, for daemons that cannot choose one themselves. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof createServer>>((resolve) => {
          const server = createServer().listen(0, '127.0.0.1', () => resolve(server));
        }),
    ),
  );
  return Promise.all(
    servers.map((server) => {
      const address = server.address();
      return new Promise<number>((resolve) => {
        server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
      });
    }),
  );
}
