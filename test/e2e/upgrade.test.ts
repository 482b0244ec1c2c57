import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { connectDatabase } from '../../coordinator/platform/db/client.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { root } from '../support/source-files.ts';
import { createUser, startCoordinator } from './coordinator-process.ts';
import { jobClient } from './job-client.ts';
import { ProtocolNode } from './protocol-node.ts';

/** The last release before artifacts in a store, replicas' news and what else came with migrations 19 to 21. */
const BEFORE = '3187ea0';
const user = { email: 'upgrade@example.com', password: 'correct horse battery' };

function whyNot(): string | false {
  try {
    execFileSync('git', ['cat-file', '-e', `${BEFORE}^{commit}`], { cwd: root, stdio: 'ignore' });
    return false;
  } catch {
    return `needs the history of this tree down to ${BEFORE}: git fetch --unshallow`;
  }
}

test(
  'the release before: its database migrated loses nothing and serves on, and that release runs on the migrated schema',
  { skip: whyNot() },
  async (t) => {
    const folder = await makeDataDir();
    t.after(() => removeDataDir(folder));
    const former = join(folder, 'former');
    await mkdir(former);
    const archive = execFileSync('git', ['archive', BEFORE, 'coordinator', 'package.json'], {
      cwd: root,
      maxBuffer: 1 << 28,
    });
    execFileSync('tar', ['-x', '-C', former], { input: archive });
    await symlink(join(root, 'node_modules'), join(former, 'node_modules'));

    const { url } = await emptyDatabase(t);
    const place = { dataDir: join(folder, 'data'), environment: { DATABASE_URL: url } };
    const old = await startCoordinator({ root: former, ...place });
    t.after(() => old.stop());
    // The user is made by a command of the new release only when it has migrated; here the old one does it.
    const main = join(former, 'coordinator/main.ts');
    const options = [
      '--email',
      user.email,
      '--password',
      user.password,
      '--company',
      'Before',
      '--role',
      'customer_admin',
      '--tier',
      'enterprise',
    ];
    execFileSync(process.execPath, [main, 'user', 'create', ...options], {
      env: { ...process.env, DATA_DIR: place.dataDir, DATABASE_URL: url, LOG_LEVEL: 'silent' },
      stdio: 'ignore',
    });
    const before = await worked(old.baseUrl);
    const link = before.job.pdf_report_url ?? '';

    // Both at once, as during a rolling upgrade.
    const current = await startCoordinator({ root, ...place });
    t.after(() => current.stop());
    const sql = connectDatabase({ url, max: 1 });
    const [schema] = await sql<{ newest: number }[]>`select max(number)::int as newest from schema_migration`;
    await sql.end();
    assert.ok((schema?.newest ?? 0) >= 21);
    const reader = await jobClient(current.baseUrl, user);
    const same = await reader.getJob(before.id);
    assert.deepEqual(same.tasks[0]?.benchmark_results, before.job.tasks[0]?.benchmark_results);
    assert.deepEqual({ ...same, pdf_report_url: null, tasks: [] }, { ...before.job, pdf_report_url: null, tasks: [] });
    // A link that the old release signed opens at the new one.
    const moved = link.replace(new URL(link).origin, new URL(current.baseUrl).origin);
    assert.ok((await reader.download(moved)).equals(before.pdf));
    assert.equal((await worked(current.baseUrl)).job.state, before.job.state);
    assert.equal((await worked(old.baseUrl)).job.state, before.job.state, 'the old one goes on beside it');
    await old.stop();

    const again = await startCoordinator({ root: former, ...place });
    t.after(() => again.stop());
    const late = await worked(again.baseUrl);
    assert.equal(late.job.state, before.job.state, 'and starts anew on the migrated schema');
    await createUser(place, { email: 'after@example.com', password: user.password, company: 'After' });
    assert.ok(await jobClient(again.baseUrl, { ...user, email: 'after@example.com' }));
  },
);

/** A job from its creation to its report. */
async function worked(baseUrl: string) {
  const customer = await jobClient(baseUrl, user);
  const { id, token } = await customer.createJob({ benchmarks: ['quick_mark'], node_count: 1 });
  const node = new ProtocolNode(baseUrl, token);
  assert.equal((await node.register()).status, 200);
  assert.equal((await node.results(node.quickMark(id, new Date()))).status, 200);
  assert.equal((await node.complete()).status, 200);
  const job = await customer.waitForReport(id);
  return { id, job, pdf: await customer.download(job.pdf_report_url ?? '') };
}
