import assert from 'node:assert/strict';
import { test } from 'node:test';
import { electricityMapsLive } from '../../../../coordinator/ingest/carbon/electricity-maps-live.ts';
import { carbonFailure, readCarbon } from './read-carbon.ts';

// In the form of GET /v3/carbon-intensity/latest.
const answer = {
  zone: 'DE',
  carbonIntensity: 302,
  datetime: '2026-11-20T10:00:00.000Z',
  updatedAt: '2026-11-20T10:41:00.000Z',
  emissionFactorType: 'lifecycle',
  isEstimated: true,
  estimationMethod: 'TIME_SLICER_AVERAGE',
};
const read = (given: object) => readCarbon(electricityMapsLive, 'latest', JSON.stringify({ ...answer, ...given }));

test('the hour from its beginning, on the basis that the answer says', async () => {
  const { factors, editions } = await read({});
  assert.equal(editions[0]?.scope, 'DE');
  assert.deepEqual(factors.get('DE'), {
    zone: 'DE',
    valid_from: '2026-11-20T10:00:00.000Z',
    valid_to: '2026-11-20T11:00:00.000Z',
    g_per_kwh: 302,
    basis: 'lifecycle',
    kind: 'average',
    source_year: null,
    source_row: '2026-11-20T10:00:00.000Z: DE = 302 gCO2eq/kWh, lifecycle, estimated',
  });
  const direct = await read({ emissionFactorType: 'direct', isEstimated: false });
  assert.equal(direct.factors.get('DE')?.basis, 'direct');
});

test('a zone becomes the address of its answer', () => {
  assert.equal(
    electricityMapsLive.live?.addressOf('US-CAL-CISO'),
    'https://api.electricitymap.org/v3/carbon-intensity/latest?zone=US-CAL-CISO',
  );
});

for (const [what, given] of Object.entries({
  'no figure': { carbonIntensity: null },
  'a figure that none is': { carbonIntensity: -1 },
  'no basis': { emissionFactorType: undefined },
  'no time': { datetime: 'now' },
  'another zone id': { zone: 'de' },
})) {
  test(`${what}: nothing is kept`, async () => {
    const text = JSON.stringify({ ...answer, ...given });
    assert.match(await carbonFailure(electricityMapsLive, 'latest', text), /^latest: is not of this format: /);
  });
}
