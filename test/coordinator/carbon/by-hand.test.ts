import assert from 'node:assert/strict';
import { test } from 'node:test';
import { carbonApp } from './carbon-app.ts';

/** A pound has 453.59237 g, a MWh 1000 kWh. */
const POUND = 453.59237 / 1000;

/** NVIDIA H100 SXM 80GB: 700 W by its data sheet. */
const gpu = 'gpu_slug=nvidia-h100-sxm-80gb';
const KILOWATTS = 0.7;

/** g CO2e/kWh worked out by hand from the published rows; direct in the US (eGRID2023 rev2, SRC2ERTA), lifecycle elsewhere (2025). */
const postcodes = [
  { place: 'San Francisco', zipcode: '94105', country: 'US', zone: 'CAMX', rate: 429.983 * POUND },
  { place: 'New York', zipcode: '10001', country: 'US', zone: 'NYCW', rate: 865.744 * POUND },
  { place: 'Houston', zipcode: '77002-1234', country: 'US', zone: 'ERCT', rate: 736.629 * POUND },
  { place: 'Holtsville, zeros stripped', zipcode: '501', country: 'US', zone: 'NYLI', rate: 1189.333 * POUND },
  { place: 'London', zipcode: 'EC1A 1BB', country: 'GB', zone: 'GB', rate: 176 },
  { place: 'Tokyo', zipcode: '100-0001', country: 'JP', zone: 'JP-TK', rate: 535 },
] as const;

const regions = [
  { provider: 'aws', code: 'us-east-1', zone: 'US-MIDA-PJM', rate: 418 },
  { provider: 'AWS', code: 'EU-NORTH-1', zone: 'SE-SE3', rate: 20 },
  { provider: 'Google Cloud', code: 'us-central1', zone: 'US-CENT-SWPP', rate: 477 },
  { provider: 'azure', code: 'southeastasia', zone: 'SG', rate: 483 },
] as const;

const near = (actual: number, expected: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= 1e-9 * expected, `${what}: ${actual} instead of ${expected}`);

test('places worked out by hand from the published rows', async (t) => {
  const { carbon } = await carbonApp(t);
  for (const { place, zipcode, country, zone, rate } of postcodes) {
    await t.test(`${place}: ${zone}`, async () => {
      const query = `zipcode=${encodeURIComponent(zipcode)}&country_code=${country}`;
      const { status, data } = await carbon('GET', `gpu-carbon-intensity?${gpu}&hours_used=24&${query}`);
      assert.equal(status, 200);
      near(data.carbon_emission_rate, rate, 'rate');
      near(data.carbonIntensity, KILOWATTS * 24 * rate, 'grams');
      assert.equal(data.gpu_tdp, 700);
      assert.equal(data.zipcode, zipcode);
      const zoneAnswer = await carbon('GET', `zone-emission-rate?${query}`);
      const found = zoneAnswer.data.carbon_emission_rate;
      assert.equal(found.carbon_region_code, zone);
      assert.equal(found.emission_factor_type, country === 'US' ? 'direct' : 'lifecycle');
      assert.equal(found.carbon_emission_rate_type, 'average');
      assert.match(found.updated_time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    });
  }
  for (const { provider, code, rate } of regions) {
    await t.test(`${provider} ${code}`, async () => {
      const query = `provider=${encodeURIComponent(provider)}&provider_code=${code}`;
      const { status, data } = await carbon('GET', `gpu-carbon-provider-intensity?${gpu}&hours_used=0.5&${query}`);
      assert.equal(status, 200);
      near(data.carbon_emission_rate, rate, 'rate');
      near(data.carbonIntensity, KILOWATTS * 0.5 * rate, 'grams');
      assert.equal(data.hour, 0.5);
      assert.equal(data.provider_code, code.toLowerCase());
    });
  }
  await t.test('a zip of three subregions: that of the predominant utility, the others beside it', async () => {
    // EPA's table: 30525 (Clayton, Georgia) has SRTV marked, and utilities in SRSO and SRVC.
    const { data } = await carbon('GET', 'zone-emission-rate?zipcode=30525&country_code=us');
    const found = data.carbon_emission_rate;
    assert.equal(found.carbon_region_code, 'SRTV');
    near(found.carbon_emission_rate, 903.306 * POUND, 'rate');
    assert.deepEqual(found.extra_data.other_regions, ['SRSO', 'SRVC']);
    assert.equal(found.country_code, 'US');
  });
  await t.test('a country that nobody publishes a factor of', async () => {
    const { data } = await carbon('GET', 'zone-emission-rate?zipcode=&country_code=AQ');
    assert.equal(data.carbon_emission_rate, null);
    const refused = await carbon('GET', `gpu-carbon-intensity?${gpu}&hours_used=1&zipcode=&country_code=AQ`);
    assert.equal(refused.status, 500);
    assert.equal(refused.meta.code, 34003);
    assert.deepEqual(refused.data, {});
  });
});
