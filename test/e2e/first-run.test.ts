import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { execa } from 'execa';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { createUser, startCoordinator } from './coordinator-process.ts';
import { layReadyCluster } from '../support/ready-cluster.ts';
import { root } from '../support/source-files.ts';
import { jobClient } from './job-client.ts';
import { buildDrivers, oneSmallCard, SHORTENED } from './simulated-machine.ts';

const built = join(root, 'dist', 'gpumark-agent');
const skip = existsSync(built) ? false : 'needs dist/gpumark-agent: make agent';

test(
  'the first line of a job, pasted into a shell, gets the agent, checks it, runs it and delivers a result',
  { skip },
  async (t) => {
    await buildDrivers();
    const folder = await makeDataDir();
    t.after(() => removeDataDir(folder));
    const dataDir = join(folder, 'data');
    await layReadyCluster(dataDir);
    const coordinator = await startCoordinator({ root, dataDir });
    t.after(() => coordinator.stop());
    const user = { email: 'first@example.com', password: 'correct horse battery' };
    await createUser({ dataDir }, user);
    const customer = await jobClient(coordinator.baseUrl, user);
    const { id, launch } = await customer.createJob({ benchmarks: ['quick_mark'] });
    const line = Object.values(launch)[0] ?? '';
    assert.equal(line, launch.download, 'it is the first of all');
    assert.match(line, new RegExp(`curl .*${coordinator.baseUrl}/agent/linux-x64`));

    const machine = join(folder, 'machine');
    await mkdir(machine);
    // The line as it stands; what shortens the measuring stands behind it, as any option of the agent does.
    const ran = await execa('sh', ['-c', `${line} ${SHORTENED.join(' ')}`], {
      cwd: machine,
      env: { ...oneSmallCard, GPUMARK_STATE_DIR: join(folder, 'agent') },
      reject: false,
    });
    assert.ok(ran.exitCode === 0 || ran.exitCode === 3, `${ran.exitCode}: ${ran.stdout}\n${ran.stderr}`);
    assert.match(ran.stdout, /^gpumark-agent\.\w{6}: OK$/m, 'the hash was checked');
    assert.ok((await readFile(join(machine, 'gpumark-agent'))).equals(await readFile(built)));
    assert.match(ran.stdout + ran.stderr, new RegExp(`job +${coordinator.baseUrl}/jobs/${id}\\b`), 'it names the page');
    const job = await customer.waitForReport(id);
    assert.equal(job.tasks[0]?.benchmark_results['quick_mark']?.state, 'completed');
  },
);

test('a line with another hash runs nothing', { skip }, async (t) => {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  const dataDir = join(folder, 'data');
  await layReadyCluster(dataDir);
  const coordinator = await startCoordinator({ root, dataDir });
  t.after(() => coordinator.stop());
  const user = { email: 'second@example.com', password: 'correct horse battery' };
  await createUser({ dataDir }, user);
  const customer = await jobClient(coordinator.baseUrl, user);
  const { launch } = await customer.createJob({ benchmarks: ['quick_mark'] });
  const altered = (launch.download ?? '').replace(
    /echo "./,
    (start) => `${start.slice(0, -1)}${start.endsWith('0') ? '1' : '0'}`,
  );
  assert.notEqual(altered, launch.download);
  const ran = await execa('sh', ['-c', altered], { cwd: folder, reject: false });
  assert.notEqual(ran.exitCode, 0);
  assert.match(ran.stdout, /^gpumark-agent\.\w{6}: FAILED$/m);
  assert.ok(!existsSync(join(folder, 'gpumark-agent')), 'nothing stands ready to be run');
});
