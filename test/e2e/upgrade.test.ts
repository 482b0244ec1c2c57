import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { JobDetail } from '../../coordinator/contract/job.ts';
import { connectDatabase } from '../../coordinator/platform/db/client.ts';
import { makeDataDir, removeDataDir } from '../support/data-dir.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { root } from '../support/source-files.ts';
import { createUser, startCoordinator } from './coordinator-process.ts';
import { createFormerUser, layFormerRelease, whyNoFormerRelease } from './former-release.ts';
import { jobClient } from './job-client.ts';
import { runWholeJob } from './whole-job.ts';

/** A job without its tasks and what only one of the releases says: the link to its report is signed anew, news are additive. */
function withoutNews({ judgement: _said, ...job }: JobDetail): unknown {
  return { ...job, performance: { score_by: null, ...job.performance }, pdf_report_url: null, tasks: [] };
}

const user = { email: 'upgrade@example.com', password: 'correct horse battery' };

test(
  'the release before: its database migrated loses nothing and serves on, and that release runs on the migrated schema',
  { skip: whyNoFormerRelease() },
  async (t) => {
    const folder = await makeDataDir();
    t.after(() => removeDataDir(folder));
    const former = await layFormerRelease(folder);

    const { url } = await emptyDatabase(t);
    const place = { dataDir: join(folder, 'data'), environment: { DATABASE_URL: url } };
    const old = await startCoordinator({ root: former, ...place });
    t.after(() => old.stop());
    createFormerUser(former, { DATA_DIR: place.dataDir, DATABASE_URL: url }, user);
    const before = await runWholeJob(old.baseUrl, user);
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
    assert.deepEqual(withoutNews(same), withoutNews(before.job));
    // A link that the old release signed opens at the new one.
    const moved = link.replace(new URL(link).origin, new URL(current.baseUrl).origin);
    assert.ok((await reader.download(moved)).equals(before.pdf));
    assert.equal((await runWholeJob(current.baseUrl, user)).job.state, before.job.state);
    assert.equal((await runWholeJob(old.baseUrl, user)).job.state, before.job.state, 'the old one goes on beside it');
    await old.stop();

    const again = await startCoordinator({ root: former, ...place });
    t.after(() => again.stop());
    const late = await runWholeJob(again.baseUrl, user);
    assert.equal(late.job.state, before.job.state, 'and starts anew on the migrated schema');
    await createUser(place, { email: 'after@example.com', password: user.password, company: 'After' });
    assert.ok(await jobClient(again.baseUrl, { ...user, email: 'after@example.com' }));
  },
);
