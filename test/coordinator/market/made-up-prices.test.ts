import assert from 'node:assert/strict';
import { test } from 'node:test';
import { neocloudDaily } from '../../../coordinator/ingest/connectors/neocloud-daily.ts';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { sharedPath, withoutShared } from '../ingest/read-source.ts';
import { marketCommands } from './market-commands.ts';

const slug = 'nvidia-h100-sxm-80gb';
const day = '2026-08-21';

test(
  'made-up H100 of 31.92 and 0.369 beside a real day, a machine’s price and an eighth of a card’s, move no figure',
  { skip: withoutShared },
  async (t) => {
    const market = await marketCommands(t, { now: new Date('2026-08-24T12:00:00Z') });
    await market.ingest(neocloudDaily, sharedPath('rental/neocloud-daily/neocloud_daily_median.csv'));
    const published = async (): Promise<string> => {
      const { code, stdout } = await market.command('ingest', 'series', slug, '2026-08-15', '2026-08-24');
      assert.equal(code, 0);
      return stdout;
    };
    const before = await published();
    assert.match(before, /^2026-08-21  \d/m);
    const made = [`${day},Vultr,H100 SXM,8,on_demand,31.92`, `${day},CoreWeave,H100 SXM,8,on_demand,0.369`];
    const content = ['date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour', ...made].join('\n');
    const [report] = await market.ingest(observations, await market.file('prices.csv', content));
    assert.ok(report?.kind === 'stored' && report.run.rowsKept === 2);
    assert.equal(await published(), before);
    const { votes } = await market.explain(slug, day);
    const kept = votes.filter(({ country, screened_by }) => country === '' && screened_by !== null);
    assert.deepEqual(
      kept.map(({ provider, price, screened_by }) => [provider, price, screened_by]),
      [
        ['CoreWeave', 0.369, 'band'],
        ['Vultr', 31.92, 'band'],
      ],
    );
    const counted = votes.filter(
      ({ country, price_type, screened_by }) => country === '' && price_type === 0 && !screened_by,
    );
    const prices = counted.map(({ price }) => price);
    const mean = (all: readonly number[]): number => all.reduce((sum, price) => sum + price, 0) / all.length;
    const withThem = mean([...prices, 31.92, 0.369]).toFixed(2);
    t.diagnostic(`mean of ${day} with them ${withThem}, without and as published ${mean(prices).toFixed(2)}`);
  },
);
