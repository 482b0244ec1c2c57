import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import type { LaunchLines } from '../../../coordinator/contract/create-job.ts';
import { testApp } from '../../support/app.ts';
import { call } from '../../support/client.ts';
import { root } from '../../support/source-files.ts';
import { makeJob, Node } from '../jobs/node.ts';
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

/** An ELF header of x86-64 and some bytes. */
function program(): Buffer {
  const file = Buffer.alloc(5000, 'agent ');
  file.write('\x7fELF', 0, 'latin1');
  file.writeUInt16LE(62, 18);
  return file;
}

test('where the coordinator has the agent, the first line of a job downloads it and checks it by its hash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gpumark-agents-'));
  after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'gpumark-agent'), program());
  const app = await testApp({ after }, { environment: { AGENT_DIR: folder } });
  const { user, it } = await signedIn(app);
  const made = await it.post('/jobs/new', { benchmark: 'quick_mark', node_count: '3' });
  const page = await (await it.get(made.headers.get('location') ?? '')).text();
  const sha256 = createHash('sha256').update(program()).digest('hex');
  const [, shown = ''] = /<pre[^>]*><code>([^]*?)<\/code>/.exec(page) ?? [];
  const token = /GPUMARK_API_KEY=(\S+)/.exec(shown)?.[1] ?? '';
  assert.equal(
    textOf(shown),
    'f=$(mktemp gpumark-agent.XXXXXX) && curl -fsS --retry 30 -o $f http://coordinator.test/agent/linux-x64 && ' +
      `echo "${sha256}  $f" | sha256sum -c && chmod 755 $f && mv -f $f gpumark-agent && GPUMARK_API_KEY=${token} ./gpumark-agent`,
  );
  const [first] = await app.platform.sql<{ id: string }[]>`select id from job where customer_id = ${user.customerId}`;
  assert.match(page, new RegExp(`/jobs/${first?.id}/start\\?launcher=download"\\s+aria-current="page"`));
});

test('the start page says how long it takes, and who has joined as they join', async () => {
  const app = await testApp({ after });
  const { user, it } = await signedIn(app);
  const job = await makeJob(app, user, { node_count: 2, benchmarks: ['quick_mark', 'cluster_network'] });
  const read = async () =>
    (await (await it.get(`/jobs/${job.id}/start`)).text()).replaceAll(/<[^>]*>|\s+/g, ' ').replaceAll(/ +/g, ' ');
  assert.match(await read(), /Takes about 1 minute on each machine/);
  assert.match(await read(), /the links between them: at most 5 minutes\./);
  assert.match(await read(), /(waiting for node 1|0) of 2/);
  await new Node(app, job, 'machine-of-the-start-page').register();
  assert.match(await read(), /1 of 2 /);
  assert.doesNotMatch(await read(), /(waiting for node 1|0) of 2/);
  const timed = await makeJob(app, user, { benchmarks: [{ benchmark_id: 'quick_mark', config: { timeout: 600 } }] });
  assert.match(await (await it.get(`/jobs/${timed.id}/start`)).text(), /about 10 minutes/);
});

const textOf = (markup: string): string =>
  markup
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
