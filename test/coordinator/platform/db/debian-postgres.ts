import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { chooseServiceUser } from '../../../../coordinator/platform/db/embedded/service-user.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';

const BIN = '/usr/lib/postgresql/15/bin';

/** A throw-away server of Debian's package on a socket, stopped after the test; null if it is not installed. */
export async function debianPostgres(t: TestContext): Promise<{ url: string } | null> {
  if (!existsSync(BIN)) return null;
  const dir = await makeDataDir();
  const user = await chooseServiceUser(dir);
  if (user) await chown(dir, user.uid, user.gid);
  const cluster = join(dir, 'cluster');
  const run = (program: string, settings: string[]) => {
    const { status, stderr } = spawnSync(join(BIN, program), settings, { ...user, cwd: '/', encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  run('initdb', ['-D', cluster, '-U', 'tester', '-A', 'trust', '--no-sync', '--locale=C', '--encoding=UTF8']);
  const settings = `-c listen_addresses= -c unix_socket_directories=${dir} -c fsync=off`;
  t.after(async () => {
    run('pg_ctl', ['-D', cluster, '-m', 'fast', '-w', 'stop']);
    await removeDataDir(dir);
  });
  run('pg_ctl', ['-D', cluster, '-w', '-l', join(dir, 'log'), '-o', settings, 'start']);
  return { url: `postgres://tester@localhost/postgres?host=${encodeURIComponent(dir)}` };
}
