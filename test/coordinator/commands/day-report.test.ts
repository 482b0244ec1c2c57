import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { marketCommands } from '../market/market-commands.ts';

const head = 'date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour';
const row = (date: string, provider: string, model: string, price: number): string =>
  `${date},${provider},${model},8,on_demand,${price}`;

describe('the report of a day', async () => {
  const market = await marketCommands({ after });
  const read = async (name: string, ...rows: string[]): Promise<void> => {
    const { code, stderr } = await market.command(
      'ingest',
      'observations',
      await market.file(name, `${[head, ...rows].join('\n')}\n`),
    );
    assert.deepEqual([code, stderr], [0, '']);
  };
  // Four agree within a tenth, one asks five times as much; L4 goes from 0.5 to 1.2.
  const providers = ['Lambda', 'Crusoe', 'RunPod', 'Nebius'];
  await read(
    'first.csv',
    ...providers.map((provider, at) => row('2026-05-08', provider, 'H100 SXM', 2 + at / 20)),
    row('2026-05-08', 'Lambda', 'L4', 0.5),
    row('2026-05-08', 'Lambda', 'A100 SXM 80GB', 1),
  );
  await read(
    'second.csv',
    ...providers.map((provider, at) => row('2026-05-09', provider, 'H100 SXM', 2 + at / 20)),
    row('2026-05-09', 'Vultr', 'H100 SXM', 10),
    row('2026-05-09', 'Lambda', 'L4', 1.2),
  );
  const report = async (day: string): Promise<string> => {
    const { code, stdout, stderr } = await market.command('ingest', 'report', day);
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };

  test('names each source with rows, products and providers against its newest day before', async () => {
    assert.match(await report('2026-05-09'), /^observations +6 \(6\) +2 \(3\) +5 \(4\) +2026-05-08$/m);
    assert.match(await report('2026-05-08'), /^observations +6 +3 +4 +none in 31 days$/m);
  });

  test('a source that brought nothing of the day is named as not read', async () => {
    const text = await report('2026-05-12');
    assert.match(text, /^2026-05-12: 0 of 1 sources read$/m);
    assert.match(text, /^observations +0 \(6\) +0 \(2\) +0 \(5\) +2026-05-09, not read$/m);
    assert.match(await report('2026-07-12'), /nothing was observed/);
  });

  test('votes that are not counted are shown with their reason', async () => {
    // the median of 2, 2.05, 2.1 and 2.15 is 2.075
    assert.match(
      await report('2026-05-09'),
      /^nvidia-h100-sxm-80gb +On-Demand +all +vultr +10\.0000 +1 +too far from the other providers’ votes \(4\.82 times 2\.0750\)/m,
    );
    assert.match(await report('2026-05-08'), /no vote was screened out/);
  });

  test('prices that moved by more than 2 times are listed, others are not', async () => {
    const text = await report('2026-05-09');
    assert.match(text, /^nvidia-l4-24gb +On-Demand +0\.5000 +1\.2000 +1 -> 1 +2\.40 times$/m);
    assert.equal(text.match(/-> /g)?.length, 1);
    assert.match(await report('2026-05-08'), /no price moved by more than 2 times/);
  });

  test('an invalid day is refused', async () => {
    assert.match((await market.command('ingest', 'report', 'today')).stderr, /The day must be YYYY-MM-DD/);
  });
});

test('a reading says how many votes of its newest day do not count, and asks about one that is outside for the fifth time', async (t) => {
  const market = await marketCommands(t);
  const read = async (day: string, vultr: number): Promise<string> => {
    const rows = ['Lambda', 'Crusoe', 'Nebius'].map((provider) => row(day, provider, 'H100 SXM', 2));
    const content = [head, ...rows, row(day, 'Vultr', 'H100 SXM', vultr)].join('\n');
    return (await market.command('ingest', 'observations', await market.file('prices.csv', content))).stdout;
  };
  assert.doesNotMatch(await read('2026-05-08', 2.1), /not counted/);
  const said: (string | undefined)[] = [];
  for (const day of ['09', '10', '11', '12', '13'])
    said.push((await read(`2026-05-${day}`, 20)).split('\n')[1]?.trim());
  assert.deepEqual(said.slice(0, 4), [
    '1 vote of 2026-05-09 kept and not counted: ingest report 2026-05-09',
    '1 vote of 2026-05-10 kept and not counted: ingest report 2026-05-10',
    '1 vote of 2026-05-11 kept and not counted: ingest report 2026-05-11',
    '1 vote of 2026-05-12 kept and not counted: ingest report 2026-05-12',
  ]);
  assert.equal(
    said[4],
    '1 vote of 2026-05-13 kept and not counted; 1 for 5 readings or more: are they right? ingest report 2026-05-13',
  );
});

test('labels without a meaning are counted over all readings, the most frequent first', async (t) => {
  const market = await marketCommands(t);
  const read = async (name: string, date: string, ...labels: string[]): Promise<void> => {
    const rows = labels.map((label) => row(date, 'Lambda', label, 2));
    const path = await market.file(name, `${[head, ...rows].join('\n')}\n`);
    assert.equal((await market.command('ingest', 'observations', path)).code, 0);
  };
  const listed = async (): Promise<string[]> => {
    const { stdout } = await market.command('ingest', '--unmatched');
    return stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.split(/ {2,}/))
      .map((cells) => `${cells[2]} ${cells.at(-1)}`);
  };
  await read('a.csv', '2026-05-08', 'Abacus 1', 'Abacus 2', 'Abacus 2');
  await read('b.csv', '2026-05-09', 'Abacus 1', 'Abacus 1', 'Abacus 1');
  assert.deepEqual(await listed(), ['4 Abacus 1', '2 Abacus 2']);
  // the same day again, with fewer of them
  await read('b.csv', '2026-05-09', 'Abacus 1');
  assert.deepEqual(await listed(), ['4 Abacus 1', '2 Abacus 2']);
});
