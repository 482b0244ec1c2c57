import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveNewDays } from '../../../coordinator/tokens/pricing/recompute-token-days.ts';
import { testApp, type TestApp } from '../../support/app.ts';
import { store, type ModelSeen, type PriceSeen, type Reading } from './stored-observations.ts';

const seen = (output: string, more: Partial<PriceSeen> = {}): PriceSeen => ({
  label: 'm',
  model: 'lab/m',
  seller: 'host',
  input: '1',
  output,
  ...more,
});
const list = (day: string, prices: readonly PriceSeen[], more: Partial<Reading> = {}): Reading => ({
  source: 'genai-prices',
  day,
  prices,
  ...more,
});
const now = new Date('2026-08-24T06:00:00Z');

/** day -> output price of lab/m at the seller */
async function bookOf({ platform }: TestApp, seller = 'host'): Promise<Record<string, string>> {
  const rows = await platform.sql<{ day: string; price: string }[]>`
    select day::text, price_output::float8::text as price from token_book where model = 'lab/m' and source_id = ${seller} order by day`;
  return Object.fromEntries(rows.map(({ day, price }) => [day.slice(5), price]));
}
const daysOf = (book: Record<string, string>): string[] => Object.keys(book);

describe('the price book', () => {
  test('holds a price for seven days with its reading, or until the source is read again, and then it is missing', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [seen('5')]));
    await store(app, list('2026-08-04', [seen('6')]));
    assert.deepEqual(await bookOf(app), {
      '08-01': '5',
      '08-02': '5',
      '08-03': '5',
      '08-04': '6',
      '08-05': '6',
      '08-06': '6',
      '08-07': '6',
      '08-08': '6',
      '08-09': '6',
      '08-10': '6',
    });
    // Read again without it: it is no longer offered.
    await store(app, list('2026-08-06', [seen('9', { model: 'lab/other' })]));
    assert.deepEqual(daysOf(await bookOf(app)), ['08-01', '08-02', '08-03', '08-04', '08-05']);
  });

  test('has no day that has not begun; each follows when it has, with or without a reading, and none after the seventh', async (t) => {
    const app = await testApp(t, { now });
    const days = async () => daysOf(await bookOf(app));
    await store(app, list('2026-08-22', [seen('5')]));
    assert.deepEqual(await days(), ['08-22', '08-23', '08-24']);
    app.clock.advance({ days: 2 });
    await deriveNewDays(app.context);
    assert.deepEqual((await days()).slice(3), ['08-25', '08-26']);
    app.clock.advance({ days: 9 });
    await deriveNewDays(app.context);
    assert.deepEqual((await days()).slice(3), ['08-25', '08-26'], 'nothing holds any more');
    // The days between follow with the next reading.
    await store(app, list('2026-09-04', [seen('6')]));
    assert.deepEqual((await days()).slice(3), ['08-25', '08-26', '08-27', '08-28', '09-04']);
  });

  test('of a part of a source another part says nothing', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [seen('5')], { scope: 'host' }));
    await store(app, list('2026-08-03', [seen('9', { model: 'lab/other' })], { scope: 'other host' }));
    assert.equal(daysOf(await bookOf(app)).length, 7);
  });

  test('follows the dates of a source that has them, before its reading as well where no earlier one holds', async (t) => {
    const app = await testApp(t, { now });
    const dated = [
      seen('8', { label: 'm-1', validFrom: '2026-07-30', validTo: '2026-08-10' }),
      seen('4', { label: 'm-2', validFrom: '2026-08-10' }),
    ];
    await store(app, list('2026-08-12', dated));
    const book = await bookOf(app);
    assert.deepEqual([daysOf(book)[0], daysOf(book).at(-1), daysOf(book).length], ['07-30', '08-18', 20]);
    assert.deepEqual([book['08-09'], book['08-10']], ['8', '4'], 'the end is exclusive');
    // What was read then goes before what is said afterwards, for as long as it holds.
    await store(app, list('2026-08-01', [seen('7')]));
    const corrected = await bookOf(app);
    assert.deepEqual(
      [corrected['07-31'], corrected['08-01'], corrected['08-07'], corrected['08-08']],
      [undefined, '7', '7', '8'],
    );
  });

  test('takes the seller’s own word first, then the newest reading, then the order of sources', async (t) => {
    const app = await testApp(t, { now });
    const own = seen('1', { seller: 'openrouter', sellerType: 'marketplace' });
    await store(app, list('2026-08-01', [own], { source: 'openrouter-models' }));
    await store(app, list('2026-08-02', [{ ...own, output: '2' }, seen('2')]));
    await store(app, list('2026-08-02', [seen('3')], { source: 'litellm' }));
    await store(app, list('2026-08-03', [seen('4')], { source: 'litellm' }));
    assert.equal((await bookOf(app, 'openrouter'))['08-03'], '1');
    const book = await bookOf(app);
    assert.deepEqual([book['08-02'], book['08-03']], ['2', '4']);
  });

  test('is of the standard variant and of the label without a date', async (t) => {
    const app = await testApp(t, { now });
    await store(
      app,
      list('2026-08-01', [
        seen('9', { label: 'm-2026-01-01' }),
        seen('5'),
        seen('0', { label: 'm:free', variant: 'free', input: '0' }),
        seen('2', { label: 'm:batch', variant: 'batch' }),
        seen('1', { label: 'free', model: 'lab/free-only', variant: 'free' }),
        { ...seen('1'), seller: 'half', output: null },
      ]),
    );
    assert.equal((await bookOf(app))['08-01'], '5');
    const others = await app.platform.sql`select from token_book where model <> 'lab/m' or source_id <> 'host'`;
    assert.equal(others.length, 0);
  });
});

describe('what is known of a model on a day', () => {
  const model = (more: Partial<ModelSeen>): ModelSeen => ({ model: 'lab/m', ...more });
  const known = async ({ platform }: TestApp): Promise<Record<string, (string | null)[]>> => {
    const rows = await platform.sql<Record<'day' | 'type' | 'status' | 'context' | 'total', string | null>[]>`
      select day::text, model_type as type, model_status as status, context_length::text as context,
        total_param::float8::text as total from token_model_day where model = 'lab/m' order by day`;
    return Object.fromEntries(rows.map((row) => [row.day?.slice(5), [row.type, row.status, row.context, row.total]]));
  };

  test('is the newest word up to it, else the first after; deprecated from the day that says so or is named', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [seen('5')]));
    assert.deepEqual((await known(app))['08-01'], [null, 'active', null, null]);
    await store(
      app,
      list('2026-08-03', [seen('5')], { models: [model({ contextLength: 1000, expiresOn: '2026-08-09' })] }),
    );
    await store(app, list('2026-08-05', [seen('5')], { models: [model({ contextLength: 2000, deprecated: true })] }));
    await store(
      app,
      list('2026-08-06', [seen('5')], { models: [model({ totalParam: '70', expiresOn: '2026-08-08' })] }),
    );
    const byDay = await known(app);
    assert.deepEqual(byDay['08-01'], [null, 'active', '1000', '70']);
    assert.deepEqual(byDay['08-04'], [null, 'active', '1000', '70']);
    assert.deepEqual(byDay['08-05'], [null, 'deprecated', '2000', '70']);
    assert.deepEqual(byDay['08-07'], [null, 'active', '2000', '70']);
    assert.deepEqual(byDay['08-08'], [null, 'deprecated', '2000', '70']);
  });

  test('is open on all days if any catalogue has a Hugging Face id; the operator’s word goes before', async (t) => {
    const app = await testApp(t, { now });
    await store(app, list('2026-08-01', [seen('5')]));
    await store(app, list('2026-08-06', [seen('5')], { models: [model({ huggingFaceId: 'lab/M' })] }));
    assert.equal((await known(app))['08-01']?.[0], 'open-weight');
    const operator = model({ modelType: 'open-source', totalParam: '13' });
    await store(app, { source: 'token-models', day: '2026-08-10', models: [operator] });
    assert.deepEqual((await known(app))['08-01'], ['open-source', 'active', null, '13']);
  });
});
