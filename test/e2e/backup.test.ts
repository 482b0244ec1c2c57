import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Manifest } from '../../coordinator/platform/backup/manifest.ts';
import { run } from '../support/run-program.ts';
import { startCoordinator } from './coordinator-process.ts';
import { deploy, root } from './deployment.ts';
import { jobClient } from './job-client.ts';
import { ProtocolNode } from './protocol-node.ts';

const NODES = 40;

test('a backup taken while results come in: restored, it has every result acknowledged before, and every file', async (t) => {
  const deployment = await deploy(t);
  const { baseUrl, customer, folder, user } = deployment;
  const early = await customer.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
  const first = new ProtocolNode(baseUrl, early.token);
  await first.register();
  assert.equal((await first.results(first.quickMark(early.id, new Date()))).status, 200);
  assert.equal((await first.complete()).status, 200);
  const rendered = await customer.waitForReport(early.id);
  const pdf = await customer.download(rendered.pdf_report_url ?? '');

  const job = await customer.createJob({ benchmarks: ['quick_mark'], node_count: NODES });
  const nodes = Array.from({ length: NODES }, () => new ProtocolNode(baseUrl, job.token));
  for (const node of nodes) assert.equal((await node.register()).status, 200);
  const acknowledged: string[] = [];
  const startedAt = new Date();
  const load = (async () => {
    for (const node of nodes) {
      const result = node.quickMark(job.id, startedAt);
      assert.equal((await node.results(result)).status, 200);
      acknowledged.push(node.taskId);
      await delay(30);
    }
  })();
  while (acknowledged.length < NODES / 4) await delay(10);
  const before = [...acknowledged];
  const target = join(folder, 'backup');
  const settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: '', LOG_LEVEL: 'silent' };
  const backup = await run(['backup', target], settings);
  assert.equal(backup.code, 0, backup.stderr);
  const after = acknowledged.length;
  await load;
  assert.ok(before.length < NODES, 'it was taken in the middle');
  t.diagnostic(`${before.length} acknowledged before the backup, ${after} at its end; ${backup.stdout.trim()}`);

  const restored = { root, dataDir: join(folder, 'restored') };
  const back = await run(['restore', target], { ...settings, DATA_DIR: restored.dataDir });
  assert.equal(back.code, 0, back.stderr);
  const second = await startCoordinator(restored);
  t.after(() => second.stop());
  // The same person, the same password, the same keys.
  const reader = await jobClient(second.baseUrl, user);
  const found = await reader.getJob(job.id);
  const with_result = new Set(
    found.tasks.filter((task) => task.benchmark_results['quick_mark']).map((task) => task.id),
  );
  assert.deepEqual(
    before.filter((task) => !with_result.has(task)),
    [],
    'every result that was acknowledged before is there',
  );
  const { pdf_report_url } = await reader.getJob(early.id);
  assert.ok((await reader.download(pdf_report_url ?? '')).equals(pdf), 'the report is the same, byte for byte');
  // A token of before is one of now, and the machine is known to be at work for it.
  const member = nodes.at(-1) as ProtocolNode;
  const moved = new ProtocolNode(second.baseUrl, job.token, member.machineUuid);
  assert.equal((await moved.register()).status, 409);

  const again = await run(['restore', target], { ...settings, DATA_DIR: restored.dataDir });
  assert.equal(again.code, 1);
  assert.match(again.stderr, /This database is in use\. Restore into an empty one/);
});

test('a backup with a changed table or file, or without its manifest, is refused and leaves nothing half restored', async (t) => {
  const { folder, customer, baseUrl } = await deploy(t);
  const job = await customer.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
  const node = new ProtocolNode(baseUrl, job.token);
  await node.register();
  await node.results(node.quickMark(job.id, new Date()));
  await node.complete();
  await customer.waitForReport(job.id);
  const settings = { DATA_DIR: join(folder, 'data'), DATABASE_URL: '', LOG_LEVEL: 'silent' };
  const target = join(folder, 'backup');
  const verified = await run(['backup', target, '--verify'], settings);
  assert.equal(verified.code, 0, verified.stderr);
  assert.match(verified.stdout, /verified: every row and file came back from it/);
  const taken = await run(['backup', target], settings);
  assert.match(taken.stderr, /already exists; name a new folder/);

  const path = join(target, 'manifest.json');
  const text = await readFile(path, 'utf8');
  const manifest = JSON.parse(text) as Manifest;
  const into = (name: string) => ({ ...settings, DATA_DIR: join(folder, name) });
  const [artifact] = manifest.artifacts;
  assert.ok(artifact);
  const tables = manifest.tables.map((table) => (table.name === 'job' ? { ...table, sha256: '0'.repeat(64) } : table));
  await writeFile(path, JSON.stringify({ ...manifest, tables }));
  const damaged = await run(['restore', target], into('one'));
  assert.deepEqual(
    [damaged.code, /tables\/job\.copy\.gz does not match its hash/.test(damaged.stderr)],
    [1, true],
    damaged.stderr,
  );
  await writeFile(path, text);
  // The same place takes the whole one: nothing of the first try was kept.
  assert.equal((await run(['restore', target], into('one'))).code, 0);

  await writeFile(join(target, 'artifacts', artifact.key), 'not the report');
  assert.match(
    (await run(['restore', target], into('two'))).stderr,
    /The backup is damaged: artifacts\/.* does not match its hash/,
  );
  assert.match((await run(['restore', join(folder, 'none')], into('three'))).stderr, /holds no backup/);
});
