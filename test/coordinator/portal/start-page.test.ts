import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import type { LaunchLines } from '../../../coordinator/contract/create-job.ts';
import { testApp } from '../../support/app.ts';
import { call } from '../../support/client.ts';
import { root } from '../../support/source-files.ts';
import { makeJob } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';

test('the page of each launcher shows the same command line as the API, and links to the others', async () => {
  const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
  const { user, it } = await signedIn(app);
  const made = await call(app, 'POST', '/api/gpu-mark/v1/jobs', {
    body: { benchmarks: ['quick_mark'], node_count: 3 },
    headers: user.authorization,
  });
  const { id, launch } = made.body as unknown as { id: string; launch: LaunchLines };
  assert.deepEqual(Object.keys(launch).toSorted(), ['binary', 'docker', 'kubernetes', 'slurm']);
  for (const [launcher, line] of Object.entries(launch)) {
    const page = await (await it.get(`/jobs/${id}/start?launcher=${launcher}`)).text();
    const [, shown = ''] = /<pre[^>]*><code>([^]*?)<\/code>/.exec(page) ?? [];
    assert.equal(textOf(shown), line);
    for (const other of Object.keys(launch))
      assert.match(
        page,
        new RegExp(`start\\?launcher=${other}"\\s+${other === launcher ? 'aria-current="page"' : '>'}`),
      );
  }
});

test('what a line is run beside can be had from its page, as it stands in the product', async () => {
  const app = await testApp({ after });
  const { user, it } = await signedIn(app);
  const { id } = await makeJob(app, user);
  const files = { slurm: 'containers/slurm/gpumark.sbatch', kubernetes: 'containers/kubernetes/benchmark-job.yaml' };
  for (const [launcher, path] of Object.entries(files)) {
    const page = await (await it.get(`/jobs/${id}/start?launcher=${launcher}`)).text();
    const name = basename(path);
    const link = new RegExp(`<a href="(/assets/[0-9a-f]+/${name})" download>${name}</a>`).exec(page)?.[1] ?? '';
    assert.equal(await (await it.get(link)).text(), readFileSync(join(root, path), 'utf8'));
  }
});

const textOf = (markup: string): string =>
  markup
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
