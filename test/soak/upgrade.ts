import assert from 'node:assert/strict';
import { join } from 'node:path';
import { execa } from 'execa';
import { startCoordinator } from '../e2e/coordinator-process.ts';
import { createFormerUser, layFormerRelease, whyNoFormerRelease } from '../e2e/former-release.ts';
import { runWholeJob } from '../e2e/whole-job.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import type { Lifetime } from '../support/lifetime.ts';
import { runCases } from '../support/run-cases.ts';
import { filesUnder, root } from '../support/source-files.ts';
import {
  asAdmin,
  startTestServer,
  TEST_DATABASE_VARIABLE,
  withDatabase,
  type TestServer,
} from '../support/test-server.ts';
import { migrate } from '../../coordinator/platform/db/migrate.ts';
import { connectDatabase } from '../../coordinator/platform/db/client.ts';

/** Areas that both releases have; the tests of each cover its whole API. */
const AREAS = ['accounts', 'jobs', 'catalog', 'carbon', 'tokens', 'market', 'reports'];
/** Tests that do not pass on these databases, and need not. */
const WITHOUT = {
  // A job-token key is kept as long as any job, and the old release's jobs are from today instead of the test's clock.
  onMigratedData: 'after a rotation new tokens carry the new kid',
  // It expects the old list of a tier's products, to which migrations have added some.
  formerOnSchema: 'an application token opens data and jobs, says what it is',
};
const user = { email: 'upgrade@example.com', password: 'correct horse battery' };

async function onMigratedData(t: Lifetime): Promise<void> {
  const { folder, server } = await place(t);
  const former = await layFormerRelease(folder);
  const template = 'before';
  await asAdmin(server.url, (admin) => admin`create database ${admin(template)} template template0`);
  const url = withDatabase(server.url, template);
  const environment = { DATABASE_URL: url, DATA_DIR: join(folder, 'data') };
  const old = await startCoordinator({ root: former, dataDir: environment.DATA_DIR, environment });
  createFormerUser(former, environment, user);
  await runWholeJob(old.baseUrl, user);
  await old.stop();
  const sql = connectDatabase({ url, max: 1 });
  await migrate(sql);
  await sql.end();
  await pass(root, { url: server.url, template }, WITHOUT.onMigratedData);
}

async function formerOnSchema(t: Lifetime): Promise<void> {
  const { folder, server } = await place(t);
  const former = await layFormerRelease(folder, ['coordinator', 'agent', 'test', 'package.json', 'tsconfig.json']);
  await pass(former, server, WITHOUT.formerOnSchema);
}

async function place(t: Lifetime): Promise<{ folder: string; server: TestServer }> {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  const server = await startTestServer(undefined);
  t.after(() => server.stop());
  return { folder, server };
}

/** Runs the tests of AREAS in the tree at `cwd`, on databases copied from `template`. */
async function pass(cwd: string, { url, template }: { url: string; template: string }, without: string): Promise<void> {
  const files = AREAS.flatMap((area) => filesUnder(`test/coordinator/${area}`, '.test.ts', cwd));
  const { exitCode, stdout } = await execa(
    process.execPath,
    ['--test', '--test-concurrency=4', `--test-skip-pattern=${without}`, ...files],
    {
      cwd,
      reject: false,
      env: { [TEST_DATABASE_VARIABLE]: JSON.stringify({ url, template }) },
      maxBuffer: 1 << 27,
    },
  );
  const count = /^ℹ pass (\d+)$/m.exec(stdout)?.[1];
  process.stdout.write(`      ${count} tests pass\n`);
  assert.equal(exitCode, 0, stdout.slice(stdout.indexOf('failing tests')));
}

await runCases(
  'upgrade',
  [
    { title: 'the API tests of this release pass on the migrated database of the previous one', run: onMigratedData },
    { title: 'the API tests of the previous release pass on the schema of this one', run: formerOnSchema },
  ],
  whyNoFormerRelease() || null,
);
