import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { listJobsQuery } from '../../../coordinator/contract/job.ts';
import { selectJobPage } from '../../../coordinator/jobs/listing/queries/jobs.ts';
import { testApp } from '../../support/app.ts';
import { actorOf, makeUser } from '../../support/client.ts';
import { makeJob } from './node.ts';

const app = await testApp({ after });
const { sql } = app.platform;
const user = await makeUser(app);
const { customerId } = await actorOf(app, user);
const made: { id: string; name: string; tags: string[] }[] = [];
for (const [at, letter] of 'abcdefghijkl'.split('').entries()) {
  const [name, tags] = [`${at % 3 === 0 ? 'nightly' : 'trial'}-${letter}`, at % 2 === 0 ? ['h100', 'west'] : ['west']];
  made.push({ id: (await makeJob(app, user, { name, tags })).id, name, tags });
}
/** Its bit is that of `h100`, so the bits alone do not tell the two apart. */
const [twin] = await sql<{ tag: string }[]>`
  select tag from generate_series(1, 10000) n, concat('t', n) tag where tag_bits(array[tag]) = tag_bits(array['h100']) limit 1`;
const odd = { name: String.raw`50%_of\all`, tags: ['west', twin?.tag ?? assert.fail('no tag has the bit of h100')] };
made.push({ ...odd, id: (await makeJob(app, user, odd)).id });
await makeJob(app, await makeUser(app), { name: 'nightly-z', tags: ['h100', 'west'] });

const filters: { name?: string; tags?: string[] }[] = [
  {},
  { name: 'NIGHTLY' },
  { tags: ['h100'] },
  { tags: [odd.tags[1] ?? ''] },
  { name: 'NIGHTLY', tags: ['h100'] },
  { name: 'trial', tags: ['h100', 'west'] },
  { name: 'i', tags: ['west'] },
  { name: 'nothing', tags: ['west'] },
  { name: 'nightly-z' },
  { name: '0%_O' },
  { name: '%l' },
  { name: 't_i' },
  { name: String.raw`F\A`, tags: ['west'] },
];

test('pages and totals of searches by name, by tags and by both are those of the jobs, on every page, in two orders, counted to the end or not', async () => {
  for (const { name, tags } of filters)
    for (const sort_by of ['name', 'created_at'] as const)
      for (const mostCounted of [undefined, 4, 5, 100])
        for (let page = 1; page <= 6; page += 1) {
          const query = listJobsQuery.parse({
            sort_by,
            sort_order: 'asc',
            per_page: '3',
            page: String(page),
            name,
            tags,
          });
          const at = { customerId, cursor: null, ...(mostCounted !== undefined && { mostCounted }) };
          const found = await selectJobPage(sql, query, at);
          const expected = made.filter(
            (job) =>
              job.name.includes(name?.toLowerCase() ?? '') && (tags ?? []).every((tag) => job.tags.includes(tag)),
          );
          // Names grow as their jobs were made, except that of two words the earlier one in the alphabet comes first.
          const sorted = sort_by === 'name' ? expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)) : expected;
          const what = JSON.stringify({ name, tags, sort_by, mostCounted, page });
          assert.deepEqual(
            found.rows.map(({ id }) => id),
            sorted.slice(3 * page - 3, 3 * page + 1).map(({ id }) => id),
            what,
          );
          assert.equal(found.total, Math.min(expected.length, (mostCounted ?? Infinity) + 1), what);
        }
});
