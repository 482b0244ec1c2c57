import { execFile } from 'node:child_process';
import { lstat, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What happens to a file or folder of DATA_DIR/postgres, and what the next start makes of it. */
export interface DamagedState {
  path: string;
  how: keyof typeof damages;
  /** What a refusal says; absent: it starts, with every row. */
  refused?: RegExp;
  /** only root can make it */
  asRoot?: true;
}

const NULS = Buffer.alloc(128);

/** A lock file as Postgres writes it: process, folder, start, port, folder of the socket, address, shared memory, state. */
const lockOf = (pid: number, folder: string): string =>
  `${pid}\n${folder}\n1790000000\n5432\n.\n\n  1234567         7\nready   \n`;
/** No process has this id: Linux has at most 2^22. */
const NOBODYS_PID = 4_999_999;

/** By what a crash, a full disk, a copy or a mount leaves behind. Lock files are absent after a clean stop and are made. */
export const damages = {
  emptied: (path: string) => writeFile(path, ''),
  'filled with NUL': async (path: string) => writeFile(path, (await readFile(path).catch(() => NULS)).fill(0)),
  garbage: (path: string) => writeFile(path, 'ÿ garbage\n\u0001 in place of it'),
  'half written': async (path: string) => {
    const whole = await readFile(path).catch(() => Buffer.from(lockOf(NOBODYS_PID, 'x')));
    await writeFile(path, whole.subarray(0, Math.floor(whole.length / 2)));
  },
  'cut within the process id': (path: string) => writeFile(path, String(process.pid).slice(0, -1)),
  "a dead server's": (path: string) => writeFile(path, lockOf(NOBODYS_PID, path)),
  "another program's": (path: string) => writeFile(path, lockOf(process.pid, path)),
  gone: (path: string) => rm(path, { recursive: true }),
  'a folder': async (path: string) => {
    await rm(path, { recursive: true, force: true });
    await mkdir(path);
  },
  'chmod -R g+rwX': (path: string) => run('chmod', ['-R', 'g+rwX', path]),
  'chmod -R g+rwXs': (path: string) => run('chmod', ['-R', 'g+rwXs', path]),
  'chmod 755': (path: string) => run('chmod', ['755', path]),
  'chmod 500': (path: string) => run('chmod', ['500', path]),
  'chmod 000': (path: string) => run('chmod', ['000', path]),
  "root's": (path: string) => run('chown', ['root:root', path]),
  'chown -R root': (path: string) => run('chown', ['-R', 'root:root', path]),
} satisfies Record<string, (path: string) => Promise<unknown>>;

const PID = 'cluster/postmaster.pid';
const SOCKET_LOCK = 'cluster/.s.PGSQL.5432.lock';
const lockFiles = [PID, SOCKET_LOCK].flatMap((path): DamagedState[] =>
  (
    [
      'emptied',
      'filled with NUL',
      'garbage',
      'half written',
      'cut within the process id',
      "a dead server's",
      "another program's",
    ] as const
  ).map((how) => ({ path, how })),
);

const damaged = /PG_VERSION is damaged\. If base\/1\/PG_VERSION beside it says 18, copy that file over it/;
const notStarted = /^Postgres did not start on \S+ It said: .*[^.]\. Nothing was deleted: put the damaged file back/s;
const notUsable = /Postgres runs but cannot be used: .*Nothing was deleted: put the damaged file back/s;

/** What a crash leaves most often; they run with the other tests. */
export const usualStates: DamagedState[] = [
  ...lockFiles.filter(({ how }) => how === 'emptied' || how === 'filled with NUL'),
  { path: 'cluster', how: 'chmod -R g+rwX' },
  { path: 'cluster/PG_VERSION', how: 'emptied', refused: damaged },
  { path: 'start.lock', how: 'garbage' },
];

export const allStates: DamagedState[] = [
  ...lockFiles,
  { path: PID, how: 'a folder', refused: notStarted },
  { path: 'cluster/.s.PGSQL.5432', how: 'emptied' },
  { path: 'start.lock', how: 'garbage' },
  { path: 'users.lock', how: 'garbage' },
  { path: 'users.lock', how: 'filled with NUL' },
  { path: 'server.log', how: 'filled with NUL' },
  { path: 'server.log', how: 'a folder', refused: /The log of Postgres cannot be written .*Move that file away/ },
  { path: 'cluster', how: 'chmod -R g+rwX' },
  { path: 'cluster', how: 'chmod -R g+rwXs' },
  { path: 'cluster', how: 'chmod 755' },
  { path: 'cluster', how: 'chmod 500', refused: notStarted },
  { path: 'cluster', how: "root's", asRoot: true, refused: /belongs to root, .*Run: chown -R \d+:\d+ '/ },
  { path: 'cluster', how: 'chown -R root', asRoot: true, refused: /belongs to root, .*Run: chown -R \d+:\d+ '/ },
  { path: 'cluster/global/pg_control', how: "root's", asRoot: true, refused: notStarted },
  { path: 'cluster/global/pg_control', how: 'chmod 000', refused: notStarted },
  { path: 'cluster/postgresql.conf', how: "root's", asRoot: true, refused: notStarted },
  { path: 'cluster/PG_VERSION', how: 'emptied', refused: damaged },
  { path: 'cluster/PG_VERSION', how: 'filled with NUL', refused: damaged },
  { path: 'cluster/PG_VERSION', how: 'garbage', refused: damaged },
  { path: 'cluster/PG_VERSION', how: 'gone', refused: /is not a complete cluster\. Restore it/ },
  { path: 'cluster/base', how: 'gone', refused: /is not a complete cluster\. Restore it/ },
  { path: 'cluster/global/pg_control', how: 'emptied', refused: notStarted },
  { path: 'cluster/global/pg_control', how: 'filled with NUL', refused: notStarted },
  // Its second half is padding.
  { path: 'cluster/global/pg_control', how: 'half written' },
  { path: 'cluster/global/pg_control', how: 'gone', refused: /holds rows, but its file global\/pg_control is gone/ },
  { path: 'cluster/global/1262', how: 'gone', refused: notUsable },
  { path: 'cluster/global/pg_filenode.map', how: 'filled with NUL', refused: notUsable },
  { path: 'cluster/base/5/PG_VERSION', how: 'emptied', refused: notUsable },
  { path: 'cluster/pg_wal', how: 'gone', refused: notStarted },
  { path: 'cluster/pg_xact', how: 'gone', refused: notStarted },
  { path: 'cluster/pg_hba.conf', how: 'emptied', refused: notStarted },
  { path: 'cluster/pg_hba.conf', how: 'filled with NUL', refused: notStarted },
  { path: 'cluster/pg_hba.conf', how: 'gone', refused: notStarted },
  { path: 'cluster/pg_ident.conf', how: 'filled with NUL' },
  { path: 'cluster/postgresql.conf', how: 'emptied' },
  { path: 'cluster/postgresql.conf', how: 'filled with NUL', refused: notStarted },
  { path: 'cluster/postgresql.conf', how: 'gone', refused: notStarted },
  { path: 'cluster/postgresql.auto.conf', how: 'emptied' },
  { path: 'cluster/postgresql.auto.conf', how: 'garbage', refused: notStarted },
  { path: 'cluster/postmaster.opts', how: 'filled with NUL' },
];

/** Damages it as the user that owns it would have it: a lock file that is made here belongs to the cluster's user. */
export async function damage(control: string, { path, how }: DamagedState): Promise<void> {
  const place = join(control, path);
  const was = await lstat(place).catch(() => null);
  await damages[how](place);
  const { uid, gid } = await lstat(join(control, 'cluster'));
  if (was === null && path.startsWith('cluster/')) await run('chown', ['-R', `${uid}:${gid}`, place]);
}
