import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, describe, test } from 'node:test';
import { ensureCarbon, storeEditions } from '../../../../coordinator/carbon/store-editions.ts';
import { tableEditions } from '../../../../coordinator/carbon/shipped/tables.ts';
import { appOver } from '../../../support/app-over.ts';
import { call, makeUser } from '../../../support/client.ts';
import { marketCommands, type MarketCommands } from '../../market/market-commands.ts';
import { run } from '../../../support/run-program.ts';
import { workbookOf } from '../../../support/workbook-of.ts';
import { near, sharedPath, withoutShared } from '../read-source.ts';

const header = 'zone,name,country_code,valid_from,valid_to,g_per_kwh,basis,kind,source,source_year,licence\n';
const japan = (grams: number | string): string =>
  `${header}JP-TK,Tokyo,JP,2025-01-01,2026-01-01,${grams},lifecycle,average,by hand,2025,own\n`;

interface Rate {
  carbon_emission_rate: number;
  extra_data: Record<string, unknown>;
}

/** What `/zone-emission-rate` of an app says. */
const rateAt = async (app: Pick<MarketCommands, 'ask'>, query: string): Promise<Rate> => {
  const { status, body } = await app.ask('GET', `/api/data-hub/carbon/zone-emission-rate?${query}`);
  assert.equal(status, 200);
  return (body as { data: { carbon_emission_rate: Rate } }).data.carbon_emission_rate;
};

const carbonState = async ({ platform: { sql } }: MarketCommands): Promise<string[]> => {
  const tables = ['edition', 'factor', 'zip', 'region', 'default_postcode', 'zone', 'source'];
  const rows = await Promise.all(
    tables.map((name) => sql.unsafe<{ row: string }[]>(`select t::text as row from carbon_${name} t order by 1`)),
  );
  return rows.flat().map(({ row }) => row);
};

test('a load changes the answers of a running app and of a second one on the same database within a second', async (t) => {
  const first = await marketCommands(t);
  await ensureCarbon(first.context);
  const { test: second, close } = await appOver({ sql: first.platform.sql, url: first.databaseUrl });
  t.after(close);
  const user = await makeUser(second);
  const apps = [
    first,
    {
      ask: async (method: string, path: string) => {
        const { status, body } = await call(second, method, path, { headers: user.authorization });
        return { status, body };
      },
    },
  ];
  const query = 'zipcode=100-0001&country_code=JP';
  for (const app of apps) assert.equal((await rateAt(app, query)).carbon_emission_rate, 535);
  const path = await first.file('tokyo.csv', japan(501.5));
  const loaded = await first.command('ingest', 'carbon-factors', path);
  assert.deepEqual(loaded, {
    code: 0,
    stdout: `${path}: 1 read, 1 kept\n  edition operator, tokyo: 1 factor\n`,
    stderr: '',
  });
  for (const { clock } of [first, second]) clock.advance({ seconds: 1 });
  for (const app of apps) {
    const rate = await rateAt(app, query);
    assert.equal(rate.carbon_emission_rate, 501.5);
    assert.equal(rate.extra_data['source_row'], 'by hand: JP-TK = 501.5 g CO2e/kWh (own)');
  }
  // A later file of the same name takes its place, and what comes with a version takes nothing away.
  await first.command('ingest', 'carbon-factors', await first.file('tokyo.csv', japan(499)));
  await ensureCarbon(first.context);
  for (const { clock } of [first, second]) clock.advance({ seconds: 1 });
  for (const app of apps) assert.equal((await rateAt(app, query)).carbon_emission_rate, 499);
});

describe('one database', async () => {
  const market = await marketCommands({ after });
  await ensureCarbon(market.context);
  const ingest = (source: string, ...rest: string[]) => market.command('ingest', source, ...rest);
  const later = (): void => market.clock.advance({ seconds: 1 });

  test('the same file twice is stored once', async () => {
    const path = await market.file('tokyo.csv', japan(501.5));
    assert.match((await ingest('carbon-factors', path)).stdout, /1 read, 1 kept/);
    const before = await carbonState(market);
    assert.equal((await ingest('carbon-factors', path)).stdout, `${path}: unchanged; nothing to do\n`);
    assert.deepEqual(await carbonState(market), before);
  });

  for (const [what, content] of Object.entries({
    'cut off in a quote': `${japan(1)}"JP-TK`,
    'of another format': 'a,b\n1,2\n',
    'without a row': header,
    'without a row that can be kept': japan('x5'),
    empty: '',
  })) {
    test(`a broken file keeps nothing: ${what}`, async () => {
      const path = await market.file('tokyo.csv', content);
      const before = await carbonState(market);
      const { code, stdout, stderr } = await ingest('carbon-factors', path);
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(stderr.startsWith(path) && /^[^\n]+\n$/.test(stderr), stderr);
      assert.deepEqual(await carbonState(market), before);
    });
  }

  test('a workbook is not taken apart; what it brings goes before the shipped rates of the same year', async () => {
    const codes = ['YEAR', 'SUBRGN', 'SRNAME', 'SRCO2RTA', 'SRCH4RTA', 'SRN2ORTA', 'SRC2ERTA'];
    const rows = [codes, [2023, 'CAMX', 'WECC California', 400, 0.02, 0.003, 401.5]];
    const path = await market.file('egrid2023_data_rev3.xlsx', workbookOf({ SRL23: rows }));
    const { stdout } = await ingest('egrid', path);
    assert.equal(stdout, `${path}: 1 read, 1 kept\n  edition egrid, eGRID2023 rev3: 1 factor\n`);
    later();
    near((await rateAt(market, 'zipcode=94105&country_code=US')).carbon_emission_rate, (401.5 * 453.59237) / 1000);
    near((await rateAt(market, 'zipcode=10001&country_code=US')).carbon_emission_rate, (865.744 * 453.59237) / 1000);
    await ensureCarbon(market.context);
    later();
    near((await rateAt(market, 'zipcode=94105&country_code=US')).carbon_emission_rate, (401.5 * 453.59237) / 1000);
  });

  test('a default post code that is loaded goes before the shipped one', async () => {
    const asked = async (): Promise<unknown> =>
      (await market.ask('GET', '/api/data-hub/carbon/default-zipcode?country_code=DE')).body;
    const cells = ['DE', '10178', 'Berlin', '', '', '', '', '', '', '52.52', '13.41', '4'];
    const before = JSON.stringify(await asked());
    const { stdout } = await ingest('geonames', await market.file('DE.txt', `${cells.join('\t')}\n`));
    assert.match(stdout, /edition geonames, DE: 1 default post code\n$/);
    later();
    const now = JSON.stringify(await asked());
    assert.ok(!before.includes('10178') && now.includes('10178'), `${before} and ${now}`);
  });

  test('a region that is loaded goes before the shipped one of the same code', async () => {
    const center = { provider: 'aws', region: 'eu-central-1', displayName: 'Elsewhere', zoneKey: 'FR' };
    await ingest('electricity-maps-regions', await market.file('data_centers.json', JSON.stringify({ center })));
    const { stdout } = await market.command('carbon', 'explain', '--provider', 'aws', '--code', 'eu-central-1');
    assert.match(stdout, /aws eu-central-1: Elsewhere, FR\nzone +FR, /);
    const other = await market.command('carbon', 'explain', '--provider', 'aws', '--code', 'eu-west-1');
    assert.match(other.stdout, /\nzone +IE, /);
  });

  test('us-east-1: direct and lifecycle are not mixed; the others are listed', { skip: withoutShared }, async () => {
    const explained = async (): Promise<string> =>
      (await market.command('carbon', 'explain', '--provider', 'aws', '--code', 'us-east-1')).stdout;
    assert.doesNotMatch(await explained(), /365\.1/);
    await ingest('ccf', sharedPath('carbon/ccf/region-factors.csv'));
    const text = await explained();
    assert.match(text, /\nrate +418 g CO2e\/kWh, lifecycle, average\n/);
    assert.match(
      text,
      /which do not answer:\n(.*\n)* {2}- +365\.1 {2}direct, average; aws:us-east-1; Cloud Carbon Footprint/,
    );
    const google = await ingest('google-regions', sharedPath('carbon/google-region-carbon/2024.csv'));
    assert.match(google.stdout, /: 44 read, 44 kept\n {2}edition google-regions, 2024: 44 factors\n$/);
    const central = await market.command('carbon', 'explain', '--provider', 'gcp', '--code', 'us-central1');
    assert.match(central.stdout, /\nrate +477 g CO2e\/kWh, lifecycle, average\n/);
    assert.match(central.stdout, /direct, average; gcp:us-central1; Google Cloud, region carbon info/);
  });

  test('zips that are loaded take the place of the shipped ones', async () => {
    const rows = 'zip,state,eiaid,UtilName,SUBRGN,Predominant Utility\n94105,CA,1,x,NWPP,1\n90210,CA,1,x,CAMX,1\n';
    const path = await market.file('zip.csv', rows);
    const refused = await ingest('epa-zips', path);
    assert.match(
      refused.stderr,
      /would drop more than 20 % of what stands of epa-zips, zips: groups of zips \d+ -> 2\. Nothing of it is kept\. [^\n]*--accept-coverage-drop; if the file is only a part of it, load the whole\.\n$/,
    );
    const { stdout } = await ingest('epa-zips', path, '--accept-coverage-drop');
    assert.match(
      stdout,
      /: 2 read, 2 kept\n {2}edition epa-zips, zips: 2 groups of zips\n +accepted: less than what stands of epa-zips, zips: [^\n]* -> 2\n$/,
    );
    later();
    const { extra_data } = await rateAt(market, 'zipcode=94105&country_code=US');
    assert.match(String(extra_data['source_row']), /^eGRID2023 rev2 NWPP: /);
  });

  test('a new version with other tables takes nothing away that was loaded', async () => {
    const shipped = (await tableEditions()).map((edition) => ({ ...edition, sha256: Buffer.alloc(32, 7) }));
    assert.equal((await storeEditions(market.context, shipped)).length, shipped.length);
    later();
    const { extra_data } = await rateAt(market, 'zipcode=94105&country_code=US');
    assert.match(String(extra_data['source_row']), /^eGRID2023 rev2 NWPP: /);
    const camx = await rateAt(market, 'zipcode=90210&country_code=US');
    near(camx.carbon_emission_rate, (401.5 * 453.59237) / 1000);
    const region = await market.command('carbon', 'explain', '--provider', 'aws', '--code', 'eu-central-1');
    assert.match(region.stdout, /\nzone +FR, /);
  });

  test('the list shows them under a heading of their own, and an unknown name names them', async () => {
    const { stdout } = await ingest('--list');
    const [, below = ''] = stdout.split('\nCarbon: ');
    const names = ['egrid', 'epa-zips', 'google-regions', 'ember', 'geonames', 'ccf', 'carbon-factors'];
    for (const name of names) assert.match(below, new RegExp(`^${name} `, 'm'));
    const { code, stderr } = await ingest('nothing', 'a.csv');
    assert.equal(code, 1);
    for (const name of names) assert.ok(stderr.includes(name), stderr);
  });

  describe('the hour of Electricity Maps', () => {
    const said = {
      zone: 'SG',
      carbonIntensity: 471,
      datetime: '',
      updatedAt: '2026-11-20T10:05:00.000Z',
      emissionFactorType: 'lifecycle',
      isEstimated: false,
    };
    const asked: { url: string | undefined; token: unknown }[] = [];
    let redirect = false;
    const server = createServer(({ url, headers }, response) => {
      asked.push({ url, token: headers['auth-token'] });
      if (redirect) response.writeHead(302, { location: '/elsewhere' }).end();
      else if (headers['auth-token'] !== 'secret-key') response.writeHead(401).end();
      else response.end(JSON.stringify({ ...said, datetime: market.clock.now().toISOString() }));
    });
    after(() => void server.close());
    const listening = new Promise<number>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
    });
    const live = async (token?: string) => {
      const url = `http://127.0.0.1:${await listening}/v3/carbon-intensity/latest?zone=SG`;
      const environment = { ...market.environment, ...(token === undefined ? {} : { ELECTRICITY_MAPS_TOKEN: token }) };
      return run(['ingest', 'electricity-maps-live', url, '--allow-private-addresses'], environment);
    };

    test('answers for its zone while it is young, then the year does again', async () => {
      const { code, stdout, stderr } = await live('secret-key');
      assert.deepEqual([code, stderr], [0, '']);
      assert.match(stdout, /: 1 read, 1 kept\n {2}edition electricity-maps-live, SG: 1 factor\n$/);
      assert.deepEqual(asked.at(-1), { url: '/v3/carbon-intensity/latest?zone=SG', token: 'secret-key' });
      later();
      const query = 'zipcode=018956&country_code=SG';
      const young = await rateAt(market, query);
      assert.equal(young.carbon_emission_rate, 471);
      assert.equal(young.extra_data?.['period'], 'hour');
      market.clock.advance({ hours: 2 });
      assert.equal((await rateAt(market, query)).carbon_emission_rate, 483);
    });

    test('without the key, with a wrong one and by a redirection nothing is kept, and no key is shown', async () => {
      assert.match((await live()).stderr, /electricity-maps-live needs a key: set ELECTRICITY_MAPS_TOKEN\./);
      const wrong = await live('wrong-key');
      assert.match(wrong.stderr, /answered 401 Unauthorized: it may need a key/);
      redirect = true;
      const moved = await live('secret-key');
      assert.match(moved.stderr, /is redirected; the key is sent to no other address/);
      assert.ok(!`${wrong.stderr}${moved.stderr}`.includes('-key'));
      assert.equal(asked.filter(({ url }) => url === '/elsewhere').length, 0);
    });
  });
});
