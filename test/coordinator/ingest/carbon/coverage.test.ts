import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ensureCarbon } from '../../../../coordinator/carbon/store-editions.ts';
import { marketCommands, type MarketCommands } from '../../market/market-commands.ts';
import { sharedPath, withoutShared } from '../read-source.ts';

const tables = ['edition', 'factor', 'zip', 'region', 'default_postcode'];

/** All that requests are answered from. */
async function standing({ platform: { sql } }: MarketCommands): Promise<string[]> {
  const rows = await Promise.all(
    tables.map((name) =>
      sql.unsafe<{ row: string }[]>(`select to_jsonb(t)::text as row from carbon_${name} t order by 1`),
    ),
  );
  return rows.flat().map(({ row }) => row);
}

const lastRun = async ({ platform: { sql } }: MarketCommands): Promise<string> =>
  (await sql<{ id: string }[]>`select max(id)::text as id from ingest_run`)[0]?.id ?? assert.fail('no run');

const header = 'zone,name,country_code,valid_from,valid_to,g_per_kwh,basis,kind,source,source_year,licence';
const zones = (count: number, grams = 500): string =>
  [
    header,
    ...Array.from(
      { length: count },
      (_, at) => `JP-${at},Z${at},JP,2025-01-01,2026-01-01,${grams},lifecycle,average,by hand,2025,own`,
    ),
  ].join('\n');

test(
  '148 regions replaced by 25 are refused with the counts, accepted when told so, and undone',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t);
    const all = readFileSync(sharedPath('carbon/electricitymaps/data_centers.json'), 'utf8');
    const some = JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(all) as object).slice(0, 30)));
    const ingest = (path: string, ...flags: string[]) =>
      market.command('ingest', 'electricity-maps-regions', path, ...flags);
    const first = await ingest(await market.file('data_centers.json', all));
    assert.match(first.stdout, /edition electricity-maps-regions, [^:]+: 148 regions\n$/);
    const before = await standing(market);
    const cut = await market.file('data_centers.json', some);
    const refused = await ingest(cut);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(
      refused.stderr.replace(cut, ''),
      /^: would drop more than 20 % of what stands of electricity-maps-regions, [^:]+: regions 148 -> \d\d\. Nothing of it is kept\. If the source did shrink, add --accept-coverage-drop; /,
    );
    assert.deepEqual(await standing(market), before);

    const accepted = await ingest(cut, '--accept-coverage-drop');
    assert.match(
      accepted.stdout,
      /accepted: less than what stands of electricity-maps-regions, [^:]+: regions 148 -> /,
    );
    assert.notDeepEqual(await standing(market), before);
    const run = await lastRun(market);
    const undone = await market.command('ingest', 'undo', run);
    assert.deepEqual([undone.code, undone.stderr], [0, '']);
    assert.match(undone.stdout, /: \d\d observations put aside, 148 earlier ones stand again\n$/);
    assert.deepEqual(await standing(market), before);
    assert.match((await ingest(await market.file('data_centers.json', all))).stdout, /unchanged; nothing to do/);
    assert.match((await market.command('ingest', 'undo', run)).stderr, /has already been undone/);
  },
);

test('factors are measured and undone alike: by what stands, one edition after the other, back to what is shipped', async (t) => {
  const market = await marketCommands(t);
  await ensureCarbon(market.context);
  const ingest = async (content: string, ...flags: string[]): Promise<string> => {
    const { stdout, stderr } = await market.command(
      'ingest',
      'carbon-factors',
      await market.file('jp.csv', content),
      ...flags,
    );
    return stdout + stderr;
  };
  const states = [await standing(market)];
  const runs: string[] = [];
  for (const [count, grams] of [
    [10, 500],
    [8, 510],
  ] as const) {
    assert.match(await ingest(zones(count, grams)), new RegExp(`operator, jp: ${count} factors\\n$`));
    states.push(await standing(market));
    runs.push(await lastRun(market));
  }
  assert.match(await ingest(zones(6)), /operator, jp: factors 8 -> 6\. Nothing of it is kept/);
  assert.deepEqual(await standing(market), states[2]);
  const [first = '', second = ''] = runs;
  const early = await market.command('ingest', 'undo', first);
  assert.equal(
    early.stderr,
    `Run ${first} was itself replaced: all of its observations by run ${second}. Undo that first.\n`,
  );
  for (const [run, state] of [
    [second, states[1]],
    [first, states[0]],
  ] as const) {
    assert.equal((await market.command('ingest', 'undo', run)).code, 0);
    assert.deepEqual(await standing(market), state);
  }
  const { stdout } = await market.command('ingest', 'runs');
  assert.equal(stdout.split('\n').filter((line) => /operator +jp .* undone$/.test(line)).length, 2, stdout);
});

test('zips that are loaded for the first time are measured by the shipped ones, which they would hide', async (t) => {
  const market = await marketCommands(t);
  await ensureCarbon(market.context);
  const before = await standing(market);
  const rows = 'zip,state,eiaid,UtilName,SUBRGN,Predominant Utility\n94105,CA,1,x,NWPP,1\n';
  const { code, stderr } = await market.command('ingest', 'epa-zips', await market.file('zip.csv', rows));
  assert.equal(code, 1);
  assert.match(stderr, /what stands of epa-zips, zips: groups of zips \d{4} -> 1\. Nothing of it is kept/);
  assert.deepEqual(await standing(market), before);
});
