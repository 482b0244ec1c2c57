import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeDataDir, sweepDataDirs } from '../../../../support/data-dir.ts';
import { layReadyCluster } from '../../../../support/ready-cluster.ts';
import { startChild } from './database-child.ts';
import { dataDirFor, exists, isAlive } from './fixture.ts';

const HOUR_MS = 3_600_000;

test('servers of killed test runs are swept away later, those in use are not', async (t) => {
  const root = await dataDirFor(t);
  const [abandoned, used] = [await makeDataDir(root), await makeDataDir(root)];
  for (const dir of [abandoned, used]) await layReadyCluster(dir);
  const killed = startChild({ dataDir: abandoned, profile: 'ephemeral' });
  const living = startChild({ dataDir: used, profile: 'ephemeral' });
  const { pid: orphan = 0 } = await killed.ready();
  const { pid: server = 0 } = await living.ready();
  await killed.end('SIGKILL');
  await sweepDataDirs(root);
  assert.equal(await isAlive(orphan), true);
  await sweepDataDirs(root, Date.now() + HOUR_MS);
  assert.equal(await isAlive(orphan), false);
  assert.equal(await exists(abandoned), false);
  assert.equal(await isAlive(server), true);
  await living.end('SIGTERM');
  assert.equal(await isAlive(server), false);
});
