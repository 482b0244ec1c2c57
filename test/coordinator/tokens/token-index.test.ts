import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { readConfig } from '../../../coordinator/platform/config.ts';
import { changeCustomerTerms } from '../../../coordinator/accounts/standing/change-terms.ts';
import { testApp } from '../../support/app.ts';
import { actorOf, call, makeUser } from '../../support/client.ts';
import { callersOf } from '../accounts/access/callers.ts';
import { store } from './stored-observations.ts';

const path = '/api/token-index/index';
const price = {
  label: 'a/m',
  model: 'a/m',
  permaslug: 'a/m',
  seller: 'openrouter',
  sellerType: 'marketplace',
} as const;
const usage = { permaslug: 'a/m', variant: 'standard', model: 'a/m', total: '1000000', input: '750000' };

describe('the token index', async () => {
  const app = await testApp({ after }, { now: new Date('2026-08-24T12:00:00Z') });
  // 0.75 x 1 + 0.25 x 3 = 1.5; the next day 0.75 x 2 + 0.25 x 3 = 2.25; today's does not count yet.
  for (const [day, input] of [
    ['2026-08-21', '1'],
    ['2026-08-22', '2'],
    ['2026-08-24', '9'],
  ] as const)
    await store(
      app,
      { source: 'openrouter-models', day, prices: [{ ...price, input, output: '3' }] },
      { source: 'openrouter-rankings', day, usage: [usage] },
    );
  const user = await makeUser(app, { tier: 'professional' });
  const ask = async (body: unknown, headers: Record<string, string> = user.authorization) => {
    const answered = await call(app, 'POST', path, { body, headers });
    return answered as unknown as {
      status: number;
      body: { meta: { code: number; message: string }; data: Record<string, unknown> };
    };
  };
  const dates = { starting_date: '2026-08-20', ending_date: '2026-08-23' };

  test('is a value with four decimals a day, -1 for a day without data', async () => {
    const { status, body } = await ask({ token: 'expenditure', ...dates });
    assert.equal(status, 200);
    assert.deepEqual(body.data, {
      token: 'expenditure',
      index_name: 'Token expenditure',
      index_version: 'v1',
      starting_date: '2026-08-20',
      ending_date: '2026-08-23',
      indexes: { '2026-08-20': '-1', '2026-08-21': '1.5000', '2026-08-22': '2.2500', '2026-08-23': '-1' },
    });
  });

  test('case of token and version does not count', async () => {
    const { body } = await ask({ token: 'EXPENDITURE', index_version: 'V1', ...dates });
    assert.deepEqual([body.data['token'], body.data['index_version']], ['expenditure', 'v1']);
    const prices = await ask({ token: 'Token_Price_Output', ...dates });
    assert.deepEqual(prices.body.data['indexes'], {
      '2026-08-20': '-1',
      '2026-08-21': '100.0000',
      '2026-08-22': '100.0000',
      '2026-08-23': '-1',
    });
  });

  test('dates are today unless given; today is -1 until it is over, and a range without data has no name', async () => {
    const { body } = await ask({ token: 'expenditure' });
    const { starting_date, ending_date, index_name, indexes } = body.data;
    assert.deepEqual([starting_date, ending_date], ['2026-08-24', '2026-08-24']);
    assert.deepEqual([index_name, indexes], [null, { '2026-08-24': '-1' }]);
    assert.deepEqual(
      (await ask({ token: 'expenditure', starting_date: null, ending_date: null })).body.data,
      body.data,
    );
  });

  test('10008 with HTTP 400 is for a start after the end alone', async () => {
    for (const [given, message] of [
      [{ starting_date: '2026-08-22', ending_date: '2026-08-21' }, /^starting_date 2026-08-22.*after ending_date/],
      [{ ending_date: '2026-08-21' }, /today unless given/],
    ] as const) {
      const { status, body } = await ask({ token: 'expenditure', ...given });
      assert.deepEqual([status, body.meta.code, body.data], [400, 10008, {}], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
  });

  test('a date before the first or in the future is a validation error of its field, in whatever order', async () => {
    for (const [given, message] of [
      [{ starting_date: '2026-08-25' }, /^Parameter value error: starting_date 2026-08-25 .*future/],
      [{ ending_date: '2026-08-25' }, /^Parameter value error: ending_date 2026-08-25 .*future/],
      [{ starting_date: '2025-11-30' }, /^Parameter value error: starting_date 2025-11-30 .*before 2025-12-01/],
      [{ ending_date: '2025-11-30' }, /^Parameter value error: ending_date 2025-11-30 .*before 2025-12-01/],
      [{ starting_date: '2026-08-26', ending_date: '2026-08-25' }, /^Parameter value error: starting_date .*future/],
    ] as const) {
      const { status, body } = await ask({ token: 'expenditure', ...given });
      assert.deepEqual([status, body.meta.code, body.data], [422, 422, {}], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
    assert.equal((await ask({ token: 'expenditure', starting_date: '2025-12-01' })).status, 200);
  });

  test('TOKEN_INDEX_EARLIEST_DATE moves the first date; a wrong one stops the start and is named', async () => {
    const later = await testApp({ after }, { environment: { TOKEN_INDEX_EARLIEST_DATE: '2026-08-01' } });
    const somebody = await makeUser(later, { tier: 'enterprise' });
    const body = { token: 'expenditure', starting_date: '2026-07-31' };
    const refused = await call(later, 'POST', path, { body, headers: somebody.authorization });
    assert.equal(refused.status, 422);
    assert.match(refused.text, /before 2026-08-01/);
    for (const wrong of ['2026-02-30', 'yesterday', '2019-12-31'])
      assert.throws(() => readConfig({ TOKEN_INDEX_EARLIEST_DATE: wrong }), /TOKEN_INDEX_EARLIEST_DATE: must/);
  });

  test('a field that is wrong is named, in the envelope with 422', async () => {
    for (const [given, message] of [
      [{}, /^Parameter value error: token/],
      [{ token: '' }, /token.*empty/],
      [{ token: 'x'.repeat(61) }, /token.*60/],
      [{ token: 'gpt' }, /token must be one of expenditure, open_expenditure/],
      [{ token: 'expenditure', index_version: 'v2' }, /index_version must be v1/],
      [{ token: 'expenditure', index_version: '' }, /index_version/],
      [{ token: 'expenditure', starting_date: '2026-02-30' }, /starting_date/],
      [{ token: 'expenditure', ending_date: 5 }, /ending_date/],
    ] as const) {
      const { status, body } = await ask(given);
      assert.deepEqual([status, body.meta.code, body.data], [422, 422, {}], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
  });

  test('is open to tiers with the product and to staff: 34004 as HTTP 403 to others, 401 to nobody', async () => {
    const codes: Record<string, number> = {};
    for (const tier of ['basic', 'plus', 'professional', 'enterprise'] as const) {
      const { status, body } = await ask({ token: 'expenditure' }, (await makeUser(app, { tier })).authorization);
      codes[tier] = status === 403 ? body.meta.code : status;
    }
    const staff = await makeUser(app, { role: 'staff', tier: 'basic' });
    codes['staff'] = (await ask({ token: 'expenditure' }, staff.authorization)).status;
    codes['nobody'] = (await ask({ token: 'expenditure' }, {})).status;
    assert.deepEqual(codes, { basic: 34004, plus: 34004, professional: 200, enterprise: 200, staff: 200, nobody: 401 });
  });

  test('a user token, an application token and an API key are each enough', async () => {
    for (const { kind, token } of await callersOf(app, 'professional')) {
      const { status, body } = await ask({ token: 'expenditure', ...dates }, { authorization: `Bearer ${token}` });
      assert.equal(status, 200, kind);
      assert.equal((body.data['indexes'] as Record<string, string>)['2026-08-21'], '1.5000', kind);
    }
  });

  test('a subscription may be of some indices, versions and days: others are 34004', async () => {
    const limited = await makeUser(app, { tier: 'enterprise' });
    await changeCustomerTerms(app.context, await actorOf(app, limited), {
      token_index_tokens: ['Expenditure'],
      token_index_versions: ['v1'],
      token_index_from: '2026-08-21',
      token_index_to: '2026-08-22',
    });
    const own = { starting_date: '2026-08-21', ending_date: '2026-08-22' };
    const allowed = await ask({ token: 'expenditure', ...own }, limited.authorization);
    assert.deepEqual(allowed.body.data['indexes'], { '2026-08-21': '1.5000', '2026-08-22': '2.2500' });
    for (const [given, message] of [
      [{ token: 'token_price', ...own }, /token index token_price; it includes: Expenditure/],
      [{ token: 'expenditure', ...own, starting_date: '2026-08-20' }, /before 2026-08-21/],
      [{ token: 'expenditure', ...own, ending_date: '2026-08-23' }, /after 2026-08-22/],
      [{ token: 'expenditure' }, /after 2026-08-22/],
    ] as const) {
      const { status, body } = await ask(given, limited.authorization);
      assert.deepEqual([status, body.meta.code], [403, 34004], JSON.stringify(given));
      assert.match(body.meta.message, message);
    }
  });

  test('an ingestion shows half a second later at the latest, also in what was asked before', async () => {
    assert.equal((await ask({ token: 'expenditure', ...dates })).status, 200);
    await store(app, {
      source: 'openrouter-rankings',
      day: '2026-08-23',
      usage: [{ ...usage, input: '1000000' }],
    });
    app.clock.advance({ seconds: 0.5 });
    const { body } = await ask({ token: 'expenditure', ...dates });
    // No catalogue of 2026-08-23, so that of 2026-08-24: 9 USD.
    assert.equal((body.data['indexes'] as Record<string, string>)['2026-08-23'], '9.0000');
  });

  test('specs-list names the indices with definition, unit, first and last day, to every customer', async () => {
    const basic = await makeUser(app, { tier: 'basic' });
    const { status, body } = await call(app, 'GET', '/api/token-index/specs-list', { headers: basic.authorization });
    assert.equal(status, 200);
    const { data } = body as unknown as { data: { total: number; results: Record<string, string | null>[] } };
    assert.deepEqual(
      data.results.map(({ token }) => token),
      [
        'expenditure',
        'open_expenditure',
        'closed_expenditure',
        'token_price',
        'token_price_input',
        'token_price_output',
      ],
    );
    assert.equal(data.total, 6);
    const [first, open] = data.results;
    assert.deepEqual([first?.['index_version'], first?.['first_day'], open?.['first_day']], ['v1', '2026-08-21', null]);
    assert.equal(first?.['last_day'], '2026-08-23', 'today is not over');
    assert.match(first?.['definition'] ?? '', /q_in p_in \+ q_out p_out/);
  });
});
