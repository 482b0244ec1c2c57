import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, suite, test } from 'node:test';
import type { z } from 'zod';
import { keyName } from '../../../coordinator/accounts/api-keys/key-names.ts';
import { signUpRequest } from '../../../coordinator/accounts/sign-up/ask-to-sign-up.ts';
import { createApplicationRequest } from '../../../coordinator/contract/application.ts';
import { createJobRequest } from '../../../coordinator/contract/create-job.ts';
import { companyName } from '../../../coordinator/contract/user.ts';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';
import { at } from '../jobs/node.ts';

const signUp = (key: string) => (given: string) =>
  signUpRequest.safeParse({ email: 'a@example.com', company: 'c', first_name: 'f', last_name: 'l', [key]: given });
/** Everything that people name, by what takes the name. */
const named: Record<string, (given: string) => z.ZodSafeParseResult<unknown>> = {
  job: (name) => createJobRequest.safeParse({ name, benchmarks: ['quick_mark'] }),
  tag: (tag) => createJobRequest.safeParse({ tags: [tag], benchmarks: ['quick_mark'] }),
  application: (name) => createApplicationRequest.safeParse({ name }),
  'API key': (name) => keyName.safeParse({ name, description: 'd' }),
  'company of a sign-up': signUp('company'),
  'first name': signUp('first_name'),
  'last name': signUp('last_name'),
  'company of a command': (name) => companyName.safeParse(name),
};

suite('names of jobs, tags, applications, keys, companies and people', () => {
  test('are trimmed and in NFC: one letter with two code points is the letter', () => {
    for (const [what, take] of Object.entries(named)) {
      const { success, data } = take(' \u00a0Zu\u0308rich \ufeff');
      assert.ok(success, what);
      assert.ok(JSON.stringify(data).includes('"Z\u00fcrich"'), `${what}: ${JSON.stringify(data)}`);
    }
  });

  test('hold no control character, line break or character that changes the direction, and say so', () => {
    const refused = Array.from(
      '\t\n\r\u0001\u001b\u007f\u0085\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069',
    );
    for (const [what, take] of Object.entries(named))
      for (const character of refused) {
        const { error } = take(`a${character}b`);
        const code = character.codePointAt(0)?.toString(16);
        assert.match(
          error?.issues[0]?.message ?? 'accepted',
          /control characters, line breaks or .*direction/,
          `${what} ${code}`,
        );
      }
  });

  test('have something to be seen, and keep what languages need', () => {
    for (const [what, take] of Object.entries(named)) {
      for (const unseen of [' ', '\u200b', '\u00ad\u2060']) assert.equal(take(unseen).success, false, what);
      // Hebrew with a mark of direction, Persian with a non-joiner, a family of three, Hindi.
      for (const good of [
        '\u05d0\u200f 1',
        '\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645',
        '👨\u200d👩\u200d👧',
        'हिन्दी',
      ])
        assert.equal(take(good).success, true, `${what} ${good}`);
    }
  });
});

suite('two spellings of one name', async () => {
  const app = await testApp({ after });
  const user = await makeUser(app, { tier: 'plus' });
  const send = (path: string, body: unknown) => call(app, 'POST', path, { body, headers: user.authorization });

  test('are one job and one application: the second is a conflict, and either finds it', async () => {
    const job = (name: string) =>
      send('/api/gpu-mark/v1/jobs', { name, benchmarks: ['quick_mark'], tags: ['cafe\u0301'] });
    assert.equal((await job('cafe\u0301')).status, 201);
    assert.equal((await job(' caf\u00e9')).status, 409);
    for (const query of ['name=cafe%CC%81', 'name=caf%C3%A9', 'tags=cafe%CC%81', 'tags=caf%C3%A9']) {
      const { body } = await call(app, 'GET', `/api/gpu-mark/v1/jobs?${query}`, { headers: user.authorization });
      assert.equal(at(body, 'pagination', 'total'), 1, query);
    }
    assert.equal((await send('/api/application/create', { name: 'Cafe\u0301' })).status, 200);
    assert.equal((await send('/api/application/create', { name: 'CAF\u00c9 ' })).status, 409);
    assert.equal((await send('/api/application/info', { name: 'cafe\u0301' })).status, 200);
    const { body } = await send('/api/application/list', { filter: [{ name: 'fe\u0301' }] });
    assert.equal(at(body, 'data', 'total'), 1);
  });

  test('of earlier releases become one by the migration, unless it is taken', async () => {
    const { sql, newId } = app.platform;
    const [mine] = await sql<{ customer_id: string }[]>`select customer_id from user_account where id = ${user.userId}`;
    const names = ['  old\tname ', 'o\u0308l', '\u00f6l', '\u202e'];
    for (const name of names)
      await sql`
        insert into application (id, customer_id, name, client_id, secret_hash, created_at, updated_at)
        values (${newId()}, ${mine?.customer_id ?? ''}, ${name}, ${`gmc_${name}`}, ${Buffer.alloc(32)}, now(), now())`;
    await runMigrationAgain(sql);
    const after = await sql<{ name: string }[]>`select name from application where client_id like 'gmc_%' order by id`;
    assert.deepEqual(after.map(({ name }) => name).slice(-4), ['old name', 'o\u0308l', '\u00f6l', '\u202e']);
  });
});

/** The block that renames; the rest of its file has been applied. */
async function runMigrationAgain(sql: Awaited<ReturnType<typeof testApp>>['platform']['sql']): Promise<void> {
  const file = new URL('../../../coordinator/platform/db/migrations/0036-application-owner.sql', import.meta.url);
  const text = await readFile(file, 'utf8');
  await sql.unsafe(text.slice(text.indexOf('do $$')));
}
