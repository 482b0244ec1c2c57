import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { judgeDay } from '../../../../coordinator/market/pricing/judge-day.ts';
import { OwnHistory } from '../../../../coordinator/market/pricing/own-history.ts';
import { aVote, judgeDays, screenedIn } from './votes.ts';

const repeated = <T>(times: number, value: T): T[] => Array.from({ length: times }, () => value);
const last = <T>(values: readonly T[]): T => values.at(-1) ?? assert.fail('empty');

describe('screens of votes', () => {
  test('a band keeps a vote out at one and at two votes, its limits are inside', () => {
    const bandOf = () => ({ low: 0.4, high: 25 });
    const days = judgeDays([{ 1: 31.92 }, { 1: 2.5, 2: 0.369 }, { 1: 0.4, 2: 25 }], { bandOf });
    assert.deepEqual(days.map(screenedIn), [{ 1: 'band' }, { 2: 'band' }, {}]);
    assert.deepEqual(
      days.map(({ prices }) => prices.map(({ price, provider_count, status }) => [price, provider_count, status])),
      [[], [[2.5, 1, 'insufficient']], [[12.7, 2, 'thin']]],
    );
  });

  test('a price list that moves by more than half again is held back, by less it counts', () => {
    const before = repeated(3, { 1: 2 });
    assert.deepEqual(screenedIn(last(judgeDays([...before, { 1: 3.01 }]))), { 1: 'own-history' });
    assert.deepEqual(screenedIn(last(judgeDays([...before, { 1: 1.33 }]))), { 1: 'own-history' });
    assert.deepEqual(screenedIn(last(judgeDays([...before, { 1: 2.99 }]))), {});
  });

  test('two days are too few to judge by alone; with two others they are not if the vote moves away from them', () => {
    assert.deepEqual(screenedIn(last(judgeDays([{ 1: 2 }, { 1: 4 }]))), {});
    // from 2.3 to 3.45 while the others stand at 0.9 and 0.8
    const others = { 2: 0.9, 3: 0.8 };
    assert.deepEqual(
      screenedIn(
        last(
          judgeDays([
            { 1: 2.2, ...others },
            { 1: 3.45, ...others },
          ]),
        ),
      ),
      { 1: 'own-history' },
    );
  });

  test('a move towards the others is believed: a list price cut to 3.9 of 7 beside 2.5, 3 and 3.5', () => {
    const others = { 2: 2.5, 3: 3, 4: 3.5 };
    const days = [...repeated(10, { 1: 7, ...others }), { 1: 3.9, ...others }];
    assert.deepEqual(screenedIn(last(judgeDays(days))), {});
    // and one away from them is not: 3.5 to 6
    assert.deepEqual(screenedIn(last(judgeDays([...repeated(10, { 1: 7, ...others }), { 1: 7, ...others, 4: 6 }]))), {
      4: 'own-history',
    });
  });

  test('a price that is repeated does not become the measure, and comes back in when it returns', () => {
    const days = judgeDays([...repeated(4, { 1: 2 }), ...repeated(40, { 1: 20 }), { 1: 2.1 }]);
    assert.deepEqual(
      days.slice(4, 44).map((day) => screenedIn(day)[1]),
      repeated(40, 'own-history'),
    );
    assert.deepEqual(screenedIn(last(days)), {});
  });

  test('an operator’s ruling lets it count', () => {
    const isAccepted = ({ provider_id }: { provider_id: number }) => provider_id === 1;
    assert.deepEqual(screenedIn(last(judgeDays([...repeated(4, { 1: 2 }), { 1: 20 }], { isAccepted }))), {});
  });

  test('after 30 days without a vote a provider begins anew', () => {
    const days = judgeDays([...repeated(3, { 1: 2 }), ...repeated(30, {}), { 1: 8 }]);
    assert.deepEqual(screenedIn(last(days)), {});
  });

  test('spot prices and marketplaces may move by 2.5, and by more after they have', () => {
    const isVolatile = () => true;
    assert.deepEqual(screenedIn(last(judgeDays([...repeated(4, { 1: 1 }), { 1: 2.4 }], { isVolatile }))), {});
    assert.deepEqual(screenedIn(last(judgeDays([...repeated(4, { 1: 1 }), { 1: 2.6 }], { isVolatile }))), {
      1: 'own-history',
    });
    // 1, 2, 1, 2, ...: half of its days are a factor of 2 from the median of logarithms, ln 2 / 2 on either side
    const restless = Array.from({ length: 10 }, (_, at) => ({ 1: at % 2 === 0 ? 1 : 2 }));
    // level sqrt(2); one robust deviation is 1.4826 x 0.3466 = 0.5138; four are a factor of 7.8: up to 11
    assert.deepEqual(screenedIn(last(judgeDays([...restless, { 1: 10.5 }], { isVolatile }))), {});
    assert.deepEqual(screenedIn(last(judgeDays([...restless, { 1: 11.5 }], { isVolatile }))), { 1: 'own-history' });
  });

  test('of three and more votes one is out that is over 3.5 times from the middle, however closely the others agree', () => {
    assert.deepEqual(screenedIn(last(judgeDays([{ 1: 1, 2: 1, 3: 3.51 }]))), { 3: 'others' });
    assert.deepEqual(screenedIn(last(judgeDays([{ 1: 1, 2: 1, 3: 3.49 }]))), {});
    assert.deepEqual(screenedIn(last(judgeDays([{ 1: 1, 2: 3.51 }]))), {}, 'two cannot outvote each other');
  });

  test('votes that lie far apart widen the measure: three robust deviations', () => {
    // ln: 0, 0.693, 1.386, 2.079, x; median of the five 1.386 (4); deviations 1.386, 0.693, 0, 0.693, |x - 1.386|; one is
    // 1.4826 x 0.693 = 1.0277; three are a factor of 21.8, so 4 x 21 counts and 4 x 22 does not
    assert.deepEqual(screenedIn(last(judgeDays([{ 1: 1, 2: 2, 3: 4, 4: 8, 5: 84 }]))), {});
    assert.deepEqual(screenedIn(last(judgeDays([{ 1: 1, 2: 2, 3: 4, 4: 8, 5: 88 }]))), { 5: 'others' });
  });

  test('one that was too far from the others is not let in on a day on which too few are there to tell', () => {
    const days = judgeDays([
      { 1: 2, 2: 2.2, 3: 9 },
      { 1: 2, 3: 9 },
      { 1: 2, 3: 2.1 },
    ]);
    assert.deepEqual(days.map(screenedIn), [{ 3: 'others' }, { 3: 'others' }, {}]);
  });

  test('a country has the fate of the price over all, unless it is far from that', () => {
    const votes = [
      aVote({ provider_id: 1, price: 2 }),
      aVote({ provider_id: 2, price: 2.2 }),
      aVote({ provider_id: 3, price: 9 }),
      aVote({ provider_id: 1, price: 2, country: 'US' }),
      aVote({ provider_id: 3, price: 9, country: 'US' }),
      // dearer than 3.5 times the middle of 2.1, and near to its own 2.2 over all
      aVote({ provider_id: 2, price: 7.6, country: 'BR' }),
      // far from its own over all, and from the others
      aVote({ provider_id: 1, price: 12, country: 'JP' }),
    ];
    const judged = judgeDay('2026-05-01', votes, {
      history: new OwnHistory(),
      bandOf: () => null,
      isVolatile: () => false,
      isAccepted: () => false,
      hasChangedUnit: () => false,
    });
    assert.deepEqual(
      judged.votes.map(({ provider_id, country, screened_by }) => [provider_id, country, screened_by]),
      [
        [1, '', null],
        [2, '', null],
        [3, '', 'others'],
        [1, 'US', null],
        [3, 'US', 'others'],
        [2, 'BR', null],
        [1, 'JP', 'others'],
      ],
    );
  });

  test('a market of its own neither makes a price nor is screened', () => {
    const votes = [aVote({ provider_id: 1, price: 2 }), aVote({ provider_id: 2, price: 50, segment: 'serverless' })];
    const { votes: judged, prices } = judgeDay('2026-05-01', votes, {
      history: new OwnHistory(),
      bandOf: () => ({ low: 1, high: 10 }),
      isVolatile: () => false,
      isAccepted: () => false,
      hasChangedUnit: () => false,
    });
    assert.deepEqual(
      judged.map(({ screened_by }) => screened_by),
      [null, null],
    );
    assert.deepEqual(
      prices.map(({ price, provider_count }) => [price, provider_count]),
      [[2, 1]],
    );
  });
});

test('a price is the mean, with median, tenths, oldest quote and how many stand behind it', () => {
  const votes = [1, 2, 3, 4, 10].map((price, at) =>
    aVote({ provider_id: at + 1, price, observations: at + 1, oldest_quote: `2026-05-0${at + 1}` }),
  );
  const { prices } = judgeDay('2026-05-06', votes, {
    history: new OwnHistory(),
    bandOf: () => null,
    isVolatile: () => false,
    isAccepted: () => false,
    hasChangedUnit: () => false,
  });
  // Tenths of 5 values lie at places 0.4 and 3.6: 1 + 0.4 x 1 and 4 + 0.6 x 6
  const [price] = prices;
  assert.deepEqual(
    { ...price, p10: Math.round((price?.p10 ?? 0) * 1e9) / 1e9, p90: Math.round((price?.p90 ?? 0) * 1e9) / 1e9 },
    {
      day: '2026-05-06',
      product_id: 1,
      price_type: 0,
      country: '',
      price: 4,
      price_median: 3,
      p10: 1.4,
      p90: 7.6,
      provider_count: 5,
      sample_size: 15,
      oldest_quote: '2026-05-01',
      status: 'ok',
    },
  );
});
