import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { seedTokens } from '../../support/seed-tokens.ts';
import { browser } from './browser-session.ts';

const app = await testApp({ after }, { now: new Date('2026-08-22T10:00:00Z') });
await seedTokens(app.platform.sql, { last: '2026-08-21', days: 150, models: 4 });
await app.platform.sql`
  insert into token_index_day (token, version, day, value, coverage, models, tokens, status, computed_at)
  select 'token_price', 'v1', '2026-08-21'::date - d, 100 + d, null, 321, 1e13, 'frozen', now()
  from generate_series(0, 149) d`;
const staff = await makeUser(app, { role: 'staff' });
const it = browser(app);
await it.signIn(staff.email, staff.password);
const text = async (path: string): Promise<string> => (await it.get(path)).text();

test('a token index is shown in its own unit, with the data behind each day, and the form keeps the selected index', async () => {
  const days = 'starting_date=2026-08-20&ending_date=2026-08-22';
  const price = await text(`/tokens/index?token=token_price&index_version=v1&${days}`);
  // 100 + d, d days before 2026-08-21; the current day has no figure until it is over.
  assert.match(price, /Token price on 2026-08-21: 100\.0000, index, first day = 100/);
  assert.match(price, /<span>index, first day = 100<\/span>/);
  assert.doesNotMatch(/<figure[^]*<\/figure>/.exec(price)?.[0] ?? '', /USD/);
  assert.match(price, /<option value="token_price"\s+selected/);
  assert.match(price, /2 of 3 days have a figure/);
  assert.match(price, /data-l="Models" class="r"><span>321<|<td class="r">321</);
  const money = await text(`/tokens/index?${days}`);
  assert.match(money, /Token expenditure on 2026-08-21: 0\.7000, USD per million paid tokens/);
  assert.match(money, /99\.0 %/);
  const { results } = (await (await it.get(`/tokens/index.json?token=token_price&${days}`)).json()) as {
    results: Record<string, unknown>[];
  };
  assert.deepEqual(
    results.map(({ date, token, value, unit, models }) => [date, token, value, unit, models]),
    [
      ['2026-08-22', 'token_price', null, 'index, first day = 100', 0],
      ['2026-08-21', 'token_price', 100, 'index, first day = 100', 321],
      ['2026-08-20', 'token_price', 101, 'index, first day = 100', 321],
    ],
  );
});

test('for a long range the page shows the newest hundred days, and its files have everything that the chart draws', async () => {
  const query = 'starting_date=2026-04-01&ending_date=2026-08-21';
  const page = await text(`/tokens/index?${query}`);
  // 1 April to 21 August: 30 + 31 + 30 + 31 + 21 days.
  assert.match(page, /1 to 100 of 143/);
  assert.match(page, /All rows as <a href="\/tokens\/index\.csv\?starting_date/);
  assert.doesNotMatch(page, /rel="next"/);
  const csv = (await text(`/tokens/index.csv?${query}`)).trim().split('\r\n');
  assert.equal(csv.length, 1 + 143);
});
