import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** kill -9 of a coordinator's process and of the Postgres that it runs. */
export function killWithItsPostgres(pid: number): void {
  const postmaster = postmasterOf(pid);
  process.kill(pid, 'SIGKILL');
  process.kill(postmaster, 'SIGKILL');
}

/** What the lock file of the coordinator's own DATA_DIR names, so that no other server is ever hit. */
function postmasterOf(coordinator: number): number {
  const environment = readFileSync(`/proc/${coordinator}/environ`, 'utf8').split('\0');
  const dataDir = environment.find((entry) => entry.startsWith('DATA_DIR='))?.slice('DATA_DIR='.length) ?? '';
  const pid = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8'), 10);
  assert.equal(readFileSync(`/proc/${pid}/comm`, 'utf8'), 'postgres\n');
  return pid;
}
