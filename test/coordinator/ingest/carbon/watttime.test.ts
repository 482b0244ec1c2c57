import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFactor } from '../../../../coordinator/carbon/factors/choose-factor.ts';
import { watttime } from '../../../../coordinator/ingest/carbon/watttime.ts';
import { carbonFailure, readCarbon } from './read-carbon.ts';

// In the form of GET /v3/forecast.
const answer = {
  data: [
    { point_time: '2026-11-20T10:00:00+00:00', value: 870 },
    { point_time: '2026-11-20T10:05:00+00:00', value: 880.5 },
    { point_time: '2026-11-20T10:05:00Z', value: 880.5 },
  ],
  meta: {
    data_point_period_seconds: 300,
    region: 'CAISO_NORTH',
    units: 'lbs_co2_per_mwh',
    signal_type: 'co2_moer',
    generated_at: '2026-11-20T10:00:00+00:00',
    model: { date: '2026-03-01' },
  },
};
const read = (given: object) => readCarbon(watttime, 'forecast', JSON.stringify({ ...answer, ...given }));

test('points in lb/MWh become marginal factors of a zone of its own, which never answer', async () => {
  const { factors, refused, editions } = await read({});
  assert.equal(editions[0]?.scope, 'CAISO_NORTH co2_moer');
  assert.equal(refused['repeated'], 1);
  const [first] = editions[0]?.factors ?? [];
  assert.ok(first);
  // 870 lb of 453.59237 g each, over 1000 kWh
  assert.ok(Math.abs(first.g_per_kwh - 394.6253619) < 1e-9);
  assert.deepEqual(
    [first.zone, first.kind, first.basis, first.valid_from, first.valid_to],
    ['watttime:CAISO_NORTH', 'marginal', 'direct', '2026-11-20T10:00:00.000Z', '2026-11-20T10:05:00.000Z'],
  );
  assert.ok(factors.has('watttime:CAISO_NORTH'));
  const stored = {
    zone: first.zone,
    valid_from: new Date(first.valid_from),
    valid_to: new Date(first.valid_to),
    g_per_kwh: first.g_per_kwh,
    basis: first.basis,
    kind: first.kind,
    source_year: null,
    source_row: first.source_row,
    source: 'watttime',
    scope: '',
    title: '',
    licence: '',
    credit: '',
    origin: '',
    published_on: null,
    shipped: false,
    loaded_at: new Date('2026-11-20T10:01:00Z'),
  } as const;
  assert.equal(chooseFactor([stored], { basis: 'direct', at: new Date('2026-11-20T10:01:00Z') }), null);
});

test('the average signal is an average', async () => {
  const { editions } = await read({ meta: { ...answer.meta, signal_type: 'co2_aoer' } });
  assert.equal(editions[0]?.factors?.[0]?.kind, 'average');
});

test('another unit or signal is another format, and nothing of it is kept', async () => {
  for (const meta of [
    { ...answer.meta, units: 'percentile' },
    { ...answer.meta, signal_type: 'health_damage' },
  ])
    assert.ok(await carbonFailure(watttime, 'forecast', JSON.stringify({ ...answer, meta })));
});
