import { execFileSync, spawn } from 'node:child_process';
import { chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDatabaseUrl } from '../../coordinator/platform/db/database-url.ts';
import { programPath, whyWithout } from './debian-packages.ts';
import type { Lifetime } from './lifetime.ts';
import { until } from './until.ts';
import { connect } from 'node:net';

export const whyNoPgbouncer = await whyWithout(['pgbouncer', 'setpriv'], 'pgbouncer util-linux');

/** Debian's, or one of another version that PGBOUNCER names. */
const program = process.env['PGBOUNCER'] ?? programPath('pgbouncer') ?? '';

/** Transaction mode knows prepared statements from 1.21 on. */
export const pgbouncerPrepares = whyNoPgbouncer === false && isAtLeast([1, 21]);

function isAtLeast([major, minor]: readonly [number, number]): boolean {
  const said = execFileSync(program, ['--version'], { encoding: 'utf8' });
  const [, ofProgram, minorOfProgram] = /^PgBouncer (\d+)\.(\d+)/m.exec(said) ?? [];
  return Number(ofProgram) > major || (Number(ofProgram) === major && Number(minorOfProgram) >= minor);
}

/** Part of the socket's name, which is all that it is. */
const PORT = 6432;

/** pgbouncer in transaction mode before the database of `url`, with a pool of `size` connections; the URL through it. */
export async function startPgbouncer(lifetime: Lifetime, url: string, size: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-pgbouncer-'));
  const { host, port, user, database } = parseDatabaseUrl(url);
  await writeFile(join(folder, 'users'), `"${user}" ""\n`);
  await writeFile(
    join(folder, 'pgbouncer.ini'),
    `[databases]
${database} = host=${host} port=${port} dbname=${database} user=${user}
[pgbouncer]
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${folder}
auth_type = trust
auth_file = ${join(folder, 'users')}
pool_mode = transaction
default_pool_size = ${size}
max_client_conn = 200
ignore_startup_parameters = extra_float_digits
${pgbouncerPrepares ? 'max_prepared_statements = 200\n' : ''}`,
  );
  // It refuses to run as root, and the socket of the tests' server is open to the server's user alone.
  const { uid, gid } = await stat(host);
  await chown(folder, uid, gid);
  const words = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', program];
  const child = spawn('setpriv', [...words, '-q', join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
  const ended = new Promise((resolve) => {
    child.once('exit', resolve);
  });
  lifetime.after(async () => {
    child.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  await until('pgbouncer to listen', () => answers(join(folder, `.s.PGSQL.${PORT}`)));
  return `postgres://${user}@localhost:${PORT}/${database}?host=${encodeURIComponent(folder)}`;
}

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.end();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
