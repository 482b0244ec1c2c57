import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programPath, whyWithout } from './debian-packages.ts';
import type { Lifetime } from './lifetime.ts';
import { until } from './until.ts';

export const whyNoHaproxy = await whyWithout(['haproxy'], 'haproxy');

/** A socket that listens on a port of the system's choice, for a child to inherit by its descriptor. */
async function listeningSocket(): Promise<{ fd: number; port: number; release: () => void }> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { _handle: handle } = server as unknown as { _handle: { fd: number } };
  return { fd: handle.fd, port: (server.address() as AddressInfo).port, release: () => void server.close() };
}

/** A balancer without sticky sessions before these ports of 127.0.0.1; its own address. A server that is not ready gets nothing. */
export async function startHaproxy(lifetime: Lifetime, ports: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-haproxy-'));
  const socket = await listeningSocket();
  const servers = ports
    .map((port, at) => `  server r${at} 127.0.0.1:${port} check inter 500ms fall 2 rise 1`)
    .join('\n');
  await writeFile(
    join(folder, 'haproxy.cfg'),
    `defaults
  mode http
  timeout connect 2s
  timeout client 90s
  timeout server 90s
  timeout check 20s
frontend f
  bind fd@3
  default_backend b
backend b
  balance roundrobin
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host gpumark
  option forwardfor
  option abortonclose
  option redispatch 1
  retries 3
${servers}
`,
  );
  const child = spawn(programPath('haproxy') ?? '', ['-db', '-f', join(folder, 'haproxy.cfg')], {
    stdio: ['ignore', 'ignore', 'ignore', socket.fd],
  });
  socket.release();
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  lifetime.after(async () => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const url = `http://127.0.0.1:${socket.port}`;
  await until('the balancer to find a replica', async () => (await fetch(`${url}/readyz`).catch(() => null))?.ok, 100);
  return url;
}
