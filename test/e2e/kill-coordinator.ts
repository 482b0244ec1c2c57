import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';

/** kill -9 of a coordinator's process and of the Postgres that it runs. */
export function killWithItsPostgres(pid: number): void {
  const postmaster = postmasterOf(pid);
  process.kill(pid, 'SIGKILL');
  process.kill(postmaster, 'SIGKILL');
}

/** The coordinator's own child that is a postmaster; found by parent, so that no other server is ever hit. */
function postmasterOf(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find((pid) => {
    // pid (comm) state ppid ...; a process that ended meanwhile reads as nothing
    const [, comm, ppid] = /^\d+ \((.*)\) \S (\d+)/.exec(statOf(pid)) ?? [];
    return comm === 'postgres' && Number(ppid) === parent;
  });
  assert.ok(found !== undefined, 'the coordinator has a postgres child');
  return Number(found);
}

function statOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return '';
  }
}
