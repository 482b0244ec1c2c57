import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { carbonFactors } from '../../../coordinator/ingest/carbon/carbon-factors.ts';
import { ingestCarbon } from '../../../coordinator/ingest/carbon/ingest-carbon.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { pcPart } from '../../../coordinator/ingest/connectors/pc-part.ts';
import { skypilot } from '../../../coordinator/ingest/connectors/skypilot.ts';
import { ingestTokens } from '../../../coordinator/ingest/tokens/ingest-tokens.ts';
import { litellm } from '../../../coordinator/ingest/tokens/litellm.ts';
import { openrouterRankings } from '../../../coordinator/ingest/tokens/openrouter-rankings.ts';
import type { TokenConnector } from '../../../coordinator/ingest/tokens/token-connector.ts';
import { zipOf } from '../../support/zip-of.ts';
import { marketCommands, type MarketCommands } from '../market/market-commands.ts';
import { fixture } from './read-source.ts';
import { page } from './tokens/loaded-tokens.ts';

const opened = (t: TestContext): Promise<MarketCommands> =>
  marketCommands(t, { now: new Date('2026-11-20T12:00:00Z') });
const kinds = async (reports: Promise<{ kind: string }[]>): Promise<string[]> =>
  (await reports).map(({ kind }) => kind);
const tokens = ({ context }: MarketCommands, connector: TokenConnector, place: string) =>
  Array.fromAsync(
    ingestTokens(
      context,
      { connector, place, asOf: null, again: false, acceptCoverageDrop: false, allowPrivateAddresses: false },
      () => undefined,
    ),
  );
const rowsOf = async ({ platform: { sql } }: MarketCommands, table: string): Promise<number> =>
  Number((await sql.unsafe<{ n: string }[]>(`select count(*) as n from ${table}`))[0]?.n);

const prices =
  'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour\n2026-11-19,Lambda,H100 SXM,8,on_demand,2.99\n';
const machines = 'InstanceType,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region\nx,L4,1,,0.5,,r\n';
const models = JSON.stringify({
  'gpt-5': { litellm_provider: 'openai', mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 1e-5 },
});

test('a zip of pc-part-dataset, as published: of all its tables the video cards are read, once', async (t) => {
  const market = await opened(t);
  const cpus = 'name,price,core_count\nAMD Ryzen 7 9800X3D,451.5,8\n';
  const zip = { 'csv/cpu.csv': cpus, 'csv/video-card.csv': fixture('pc-part.csv'), 'csv/case.csv': 'name,price\n' };
  const path = await market.file('csv.2026-11-19.zip', zipOf(zip));
  const reports = await market.ingest(pcPart, path);
  assert.deepEqual(
    reports.map((report) => [report.kind, report.file, report.kind === 'stored' && report.run.rowsKept]),
    [['stored', `${path}/csv/video-card.csv`, 1]],
  );
  const both = await market.file(
    'all.2026-11-18.zip',
    zipOf({ 'json/video-card.json': fixture('pc-part.json'), 'csv/video-card.csv': fixture('pc-part.csv') }),
  );
  assert.deepEqual(
    (await market.ingest(pcPart, both)).map(({ file }) => file),
    [`${both}/json/video-card.json`],
  );
  const other = await market.file('csv.2026-11-17.zip', zipOf({ 'csv/cpu.csv': cpus }));
  await assert.rejects(market.ingest(pcPart, other), {
    name: 'FormatError',
    message: `${other}: is an archive without the table that pc-part reads`,
  });
});

test('a copy of a file under another name counts once: prices of machines, of cards and of tokens', async (t) => {
  const market = await opened(t);
  const pairs = [
    [observations, prices, 'prices.csv', 'prices (1).csv'],
    [pcPart, fixture('pc-part.csv'), 'video-card.2026-11-19.csv', 'Copy of video-card.2026-11-19.csv'],
  ] as const;
  for (const [connector, content, name, copy] of pairs) {
    assert.deepEqual(await kinds(market.ingest(connector, await market.file(name, content))), ['stored']);
    const before = await rowsOf(market, 'observation');
    assert.deepEqual(await kinds(market.ingest(connector, await market.file(copy, content))), ['known'], copy);
    assert.equal(await rowsOf(market, 'observation'), before);
  }
  assert.deepEqual(await kinds(tokens(market, litellm, await market.file('prices.2026-11-19.json', models))), [
    'stored',
  ]);
  const copied = await market.file('prices (1).2026-11-19.json', models);
  assert.deepEqual(await kinds(tokens(market, litellm, copied)), ['known']);
  assert.equal(await rowsOf(market, 'token_price_observation'), 1);
  // The two files of a zip are two parts of a source only if they differ.
  const zip = await market.file(
    'both.zip',
    zipOf({ 'a.csv': prices.replace('2.99', '3'), 'b.csv': prices.replace('2.99', '3') }),
  );
  assert.deepEqual(await kinds(market.ingest(observations, zip)), ['stored', 'known']);
});

test('the same bytes as the prices of another provider, or of another day, are other prices', async (t) => {
  const market = await opened(t);
  const at = async (name: string) => kinds(market.ingest(skypilot, await market.file(name, machines)));
  assert.deepEqual(await at('nebius.vms.2026-11-18.csv'), ['stored']);
  assert.deepEqual(await at('hyperstack.vms.2026-11-18.csv'), ['stored']);
  assert.deepEqual(await at('nebius.vms.2026-11-19.csv'), ['stored']);
  assert.deepEqual(await at('nebius.vms.2026-11-19.csv'), ['known']);
});

test('a file of tomorrow is refused whole, whatever it holds: nothing becomes the newest day before it begins', async (t) => {
  const market = await opened(t);
  const sentence =
    /: is for 2026-11-21, a day in the future \(today is 2026-11-20 in UTC\)\. If the date in its name is wrong, state its day with --as-of\.$/;
  const cards = await market.file('video-card.2026-11-21.csv', fixture('pc-part.csv'));
  await assert.rejects(market.ingest(pcPart, cards), sentence);
  assert.deepEqual(await kinds(market.ingest(pcPart, cards, { asOf: '2026-11-20' })), ['stored'], 'as of today');
  const said = await market.file('video-card.csv', fixture('pc-part.csv'));
  await assert.rejects(market.ingest(pcPart, said, { asOf: '2026-11-21' }), sentence);
  await assert.rejects(tokens(market, litellm, await market.file('prices.2026-11-21.json', models)), sentence);
  await assert.rejects(
    tokens(market, openrouterRankings, await market.file('2026-11-21/day.json', page('2026-11-21'))),
    sentence,
  );
  const factors = await market.file(
    'factors.2026-11-21.csv',
    'zone,name,country_code,valid_from,valid_to,g_per_kwh,basis,kind,source,source_year,licence\n' +
      'JP-TK,Tokyo,JP,2025-01-01,2026-01-01,501.5,lifecycle,average,by hand,2025,own\n',
  );
  const asked = {
    connector: carbonFactors,
    place: factors,
    publishedOn: null,
    key: null,
    acceptCoverageDrop: false,
    allowPrivateAddresses: false,
  };
  await assert.rejects(Array.fromAsync(ingestCarbon(market.context, asked, () => undefined)), sentence);
  assert.equal(await rowsOf(market, 'token_price_observation'), 0);
});
