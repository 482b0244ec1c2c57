import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { root } from '../../support/source-files.ts';
import { makeJob, Node } from '../jobs/node.ts';
import { signedIn } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-11-21T12:00:00Z') });
const { user, it } = await signedIn(app);

/** What the README lists as hidden, for a job and for a comparison: its items in order, without filler words. */
async function listed(): Promise<{ job: string[]; comparison: string[] }> {
  const readme = await readFile(join(root, 'coordinator', 'portal', 'README.md'), 'utf8');
  const [, section = ''] = /## What a shared link hides\n\n([^]*?)\n\n## /.exec(readme) ?? assert.fail('no section');
  const [ofJob = '', , ofComparison = ''] = section
    .replaceAll(/\s+/g, ' ')
    .split(/(\. For a comparison: |\. A link is)/);
  const items = (text: string): string[] =>
    text
      .replace("the job's name", 'name')
      .replaceAll(/; on the pages of its machines also the |; /g, ', ')
      .split(/, and | and from |, | and /)
      .map((item) => item.trim().toLowerCase());
  return { job: items(ofJob), comparison: items(ofComparison) };
}

/** How the page that makes a link says each item of the README. */
const words = {
  job: {
    company: 'the company',
    people: 'its people',
    name: "the job's name",
    description: 'description',
    tags: 'tags',
    token: 'token',
    'host names': 'host names',
    addresses: 'addresses',
    serials: 'serials',
    'machine ids': 'machine ids',
    'texts from agents': 'texts from agents',
    warnings: 'from warnings',
    'the report': 'the report',
    inventory: 'inventories',
    'device ids': 'device ids',
  },
  comparison: {
    people: 'its people',
    'names of runs': 'names of runs',
    hosts: 'host names',
    machines: 'machine ids',
    'runs are numbered': 'runs are numbered',
    'no other query opens': 'no other comparison',
  },
} as const;

const hiddenOn = async (path: string): Promise<string> => {
  const page = await (await it.get(path)).text();
  const text = page.replaceAll(/\s+/g, ' ').replaceAll('&#39;', "'");
  return /<p>A stranger sees [^<]* Hidden: ([^<]*)<\/p>/.exec(text)?.[1] ?? assert.fail(page);
};

test('before a link is made, its page lists all that the README says a shared link hides', async () => {
  const job = await makeJob(app, user);
  const node = new Node(app, job);
  await node.run();
  const { job: ofJob, comparison } = await listed();
  for (const [path, items, said] of [
    [`/jobs/${job.id}/share`, ofJob, words.job],
    [`/compare/share?items=task:${node.taskId}`, comparison, words.comparison],
  ] as const) {
    assert.deepEqual(items, Object.keys(said), `the README's list for ${path}`);
    const hidden = await hiddenOn(path);
    for (const word of Object.values(said)) assert.ok(hidden.includes(word), `${path} does not say: ${word}`);
  }
});
