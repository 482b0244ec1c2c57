import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { testApp } from '../support/app.ts';
import { makeUser } from '../support/client.ts';
import { until } from '../support/until.ts';
import { at, getJob, makeJob } from '../coordinator/jobs/node.ts';
import { root } from './deployment.ts';
import { buildDrivers } from './simulated-machine.ts';

const agent = join(root, 'dist', 'gpumark-agent');

test('kill -9 of the agent after measuring: upload later delivers, counted once', async (t) => {
  await buildDrivers();
  const app = await testApp(t);
  const user = await makeUser(app);
  const job = await makeJob(app, user);
  const state = await mkdtemp(join(tmpdir(), 'gpumark-killed-'));
  t.after(() => rm(state, { recursive: true, force: true }));
  const env = (coordinator: string) => ({
    GPUMARK_API_KEY: job.token,
    GPUMARK_STATE_DIR: state,
    GPUMARK_COORDINATOR: coordinator,
  });
  const task = async () => at(await getJob(app, user, job.id), 'tasks', 0);

  const first = await app.listen();
  const run = startMeasuring(env(first.url));
  await until('the agent measures', async () => at(await task(), 'state') === 'running', 100);
  // A coordinator that answers nothing: the agent measures on, spools, and waits for the upload's answer.
  await first.stop();
  const silent = createServer().listen(first.port, '127.0.0.1').unref();
  await until('the agent spools its result', () => spooled(state).length > 0);
  process.kill(-(run.pid ?? 0), 'SIGKILL');
  await run;
  silent.close();

  const { url } = await app.listen();
  for (let times = 0; times < 2; times += 1) {
    const upload = await execa(agent, ['upload'], { env: env(url), reject: false });
    assert.equal(upload.exitCode, 0, upload.stderr);
  }
  const tasks = at(await getJob(app, user, job.id), 'tasks');
  assert.ok(Array.isArray(tasks) && tasks.length === 1);
  assert.equal(at(await task(), 'benchmark_results', 'quick_mark', 'state'), 'completed');
  assert.deepEqual(spooled(state), []);
});

/** The packaged agent in a process group of its own, at work on one simulated card, which takes few seconds of a core. */
const startMeasuring = (env: Record<string, string>) =>
  execa(agent, ['--json', '--max-seconds', '2'], {
    env: {
      ...env,
      LD_LIBRARY_PATH: join(root, 'native/build/sim/amd'),
      GPUMARK_SIM_MEMORY_MIB: '32',
      GPUMARK_SIM_ARCH: 'gfx1030',
    },
    reject: false,
    detached: true,
    cleanup: true,
  });

/** Finished spool entries; a file still being written has another ending. */
function spooled(state: string): string[] {
  const folder = join(state, 'spool');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
}
