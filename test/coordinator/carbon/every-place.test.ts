import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import countries from 'i18n-iso-countries';
import zipcodes from 'zipcodes';
import { hotCarbon } from '../../../coordinator/carbon/hot-carbon.ts';
import { resolvePostcode, resolveRegion } from '../../../coordinator/carbon/places/resolve-postcode.ts';
import { carbonApp } from './carbon-app.ts';

const app = await carbonApp({ after });
const hot = await hotCarbon(app.context)();
const at = app.context.now();

test('all US zips of the `zipcodes` package lead to a subregion, most by themselves', (t) => {
  const abroad = new Set(['AA', 'AE', 'AP', 'MP', 'MH']);
  const byRule: Record<string, number> = {};
  const unresolved: string[] = [];
  let count = 0;
  for (const { zip, state, country } of Object.values(zipcodes.codes)) {
    if (country !== 'US') continue;
    count += 1;
    const found = resolvePostcode(hot, { zipcode: zip, country_code: 'US' }, at);
    const rule = found?.rule.replace(/( of)? \d+$/, '') ?? 'none';
    byRule[rule] = (byRule[rule] ?? 0) + 1;
    // Posts of the forces abroad are on no grid of the country; nobody publishes the Northern Marianas and the Marshall Islands.
    if (!found && !abroad.has(state)) unresolved.push(`${zip} ${state}`);
  }
  t.diagnostic(`${count} zips: ${JSON.stringify(byRule)}`);
  assert.equal(count, 42_555);
  assert.deepEqual(unresolved, []);
  const exact = byRule['eGRID subregion by zip'] ?? 0;
  assert.ok(exact > 0.95 * count, `${exact} of ${count}`);
});

test('every country of ISO 3166 has a figure or a clear 34003', async (t) => {
  const without: string[] = [];
  for (const country of Object.keys(countries.getAlpha2Codes())) {
    const zipcode = hot.defaultPostcodes.get(country) ?? '';
    const query = `gpu_slug=nvidia-h100-sxm-80gb&hours_used=1&zipcode=${encodeURIComponent(zipcode)}&country_code=${country}`;
    const { status, meta, data } = await app.carbon('GET', `gpu-carbon-intensity?${query}`);
    if (status === 200) {
      assert.ok(data.carbonIntensity >= 0 && data.carbonIntensity < 2000, country);
      continue;
    }
    assert.deepEqual([status, meta.code], [500, 34003], country);
    assert.match(
      meta.message,
      new RegExp(`No data is available for the selected region: post code ".*" of ${country}`),
    );
    without.push(country);
  }
  t.diagnostic(`without a figure: ${without.join(' ')}`);
  // Small places that no table of those has; another country's figure would be a guess.
  const expected = 'AD AI AQ BL BM BQ BV CC CX EH GG HM IM IO JE LI MC MF MH MP NF NU PN SH SJ SM SX TF TK TV UM VA WF';
  assert.deepEqual(without.toSorted(), expected.split(' '));
});

test('every region of a provider has a figure', () => {
  for (const region of [...hot.regions.values()].flat()) {
    const found = resolveRegion(hot, region, at);
    assert.equal(found?.zone, region.zone, `${region.provider} ${region.code}`);
    assert.equal(found.factor.basis, 'lifecycle');
  }
});

test('the zips that come with us are those of EPA, subregion for subregion', async (t) => {
  const { readFile } = await import('node:fs/promises');
  const { gunzipSync } = await import('node:zlib');
  const path = new URL('../../../../shared/data/carbon/egrid/power_profiler_zip_2025-06.csv.gz', import.meta.url);
  const packed = await readFile(path).catch(() => null);
  if (packed === null) return t.skip('the files of EPA are not beside this checkout');
  const predominant = new Map<string, string>();
  const all = new Map<string, Set<string>>();
  for (const line of gunzipSync(packed).toString('utf8').trim().split(/\r?\n/).slice(1)) {
    const cells = line.split(',');
    const [zip = '', subregion = ''] = [cells[0], cells.at(-2)];
    if (cells.at(-1) === '1') predominant.set(zip, subregion);
    all.set(zip, (all.get(zip) ?? new Set()).add(subregion));
  }
  assert.equal(predominant.size, 41_588);
  for (const [zip, subregion] of predominant) {
    const found = hot.zips.find(zip);
    assert.equal(found?.rule, 'zip', zip);
    assert.equal(found.subregions[0], subregion, zip);
    assert.deepEqual(new Set(found.subregions), all.get(zip), zip);
  }
});
