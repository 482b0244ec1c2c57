import { isRetail, realFilesOf } from '../ingest/real-files.ts';
import { sharedPath } from '../ingest/read-source.ts';
import { marketApp, type MarketApp } from '../market/filled-market.ts';

interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

/** The coordinator with every real file of rental prices in it, and somebody of the tier that may predict. */
export async function realMarket(lifetime: Lifetime): Promise<MarketApp> {
  const market = await marketApp(lifetime, { now: new Date('2026-11-23T08:00:00Z') }, { tier: 'plus' });
  // What a serverless product costs is not the rent of a machine.
  for (const { connector, path } of realFilesOf((name) => name !== 'fsdl-serverless')) {
    if (isRetail(path)) continue;
    // Those that hold no day are of the day that their collection says.
    const asOf = /\d{4}-\d{2}-\d{2}/.test(path) ? {} : { asOf: '2026-10-10' };
    await market.ingest(connector, sharedPath(path), { ...asOf, acceptCoverageDrop: true });
  }
  return market;
}
