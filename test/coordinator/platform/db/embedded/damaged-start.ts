import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import { DatabaseStartError } from '../../../../../coordinator/platform/db/database-start.ts';
import { damage, type DamagedState } from './damaged-states.ts';
import { dataDirFor, start, usedDataDirFor } from './fixture.ts';

const run = promisify(execFile);

/** DATA_DIR/postgres of a server that was stopped in good order, with one row in it. */
export async function folderWithARow(t: TestContext): Promise<string> {
  const dataDir = await usedDataDirFor(t);
  const first = await start(t, { dataDir });
  await first.sql`create table kept as select 1 as id`;
  await first.stop();
  return join(dataDir, 'postgres');
}

/** Starts on a damaged copy of that folder. What is refused starts with the same row once the damaged file is put back. */
export async function startDamaged(t: TestContext, whole: string, state: DamagedState): Promise<void> {
  const dataDir = await dataDirFor(t);
  const control = join(dataDir, 'postgres');
  await run('cp', ['-a', whole, control]);
  await damage(control, state);
  if (state.refused !== undefined) {
    await assert.rejects(start(t, { dataDir }), (error: unknown) => {
      assert.ok(error instanceof DatabaseStartError, String(error));
      assert.match(error.message, state.refused ?? /./);
      assert.doesNotMatch(error.message, /\n|proc.self/);
      return true;
    });
    await rm(join(control, state.path), { recursive: true, force: true });
    await run('cp', ['-a', join(whole, state.path), join(control, state.path)]).catch(() => undefined);
  }
  const again = await start(t, { dataDir });
  assert.deepEqual([...(await again.sql`select id from kept`)], [{ id: 1 }]);
  await again.stop();
}
