import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { observations } from '../../../coordinator/ingest/connectors/observations.ts';
import { buildArchives } from '../../../coordinator/market/archive/archives.ts';
import { call, makeUser } from '../../support/client.ts';
import { matchesGolden } from '../../support/golden.ts';
import { marketApp } from './filled-market.ts';

const slug = 'nvidia-h100-sxm-80gb';
/** One offer in each of seven months of three years: as many partitions of `observation`, three of each table of prices. */
const months = ['2024-12', '2025-01', '2025-02', '2025-03', '2025-12', '2026-01', '2026-02'];

interface Sent {
  text: string;
  parameters: unknown[];
}

describe('statements read only the months or years that they ask for', async () => {
  const market = await marketApp({ after }, { now: new Date('2026-03-01T12:00:00Z') });
  const { sql } = market.platform;

  const file = async (price: string, asked: readonly string[]): Promise<string> => {
    const path = join(market.platform.config.dataDir, 'prices.csv');
    const rows = asked.map((month) => `${month}-15,Lambda,H100 SXM,8,on_demand,${price}`);
    await writeFile(path, `date,provider,gpu_model,gpu_count,pricing,usd_per_gpu_hour\n${rows.join('\n')}\n`);
    return path;
  };
  await market.ingest(observations, await file('2.5', months));

  const productId = await market.productId(slug);

  /** The statements that `work` sends and that match. */
  async function sentBy(work: () => Promise<unknown>, pattern: RegExp): Promise<Sent[]> {
    const sent: Sent[] = [];
    sql.options.debug = (_connection, text, parameters) => {
      if (pattern.test(text)) sent.push({ text, parameters });
    };
    await work();
    sql.options.debug = false;
    return sent;
  }

  /** The partitions in the plan of a statement, each once. COPY has no plan, what it copies has. */
  async function partitionsIn({ text, parameters }: Sent): Promise<string[]> {
    const query = /^\s*copy \((.*)\)\s+to stdout/s.exec(text)?.[1] ?? text;
    const plan = await sql.unsafe<{ 'QUERY PLAN': string }[]>(
      `explain (costs off) ${query}`,
      parameters as NonNullable<Parameters<typeof sql.unsafe>[1]>,
    );
    const lines = plan.map((row) => row['QUERY PLAN']).join('\n');
    const named = lines.matchAll(/ on ((?:observation|provider_price|daily_price)_\d+(?:_\d+)?)\b(?!_)/g);
    return [...new Set([...named].map(([, partition]) => partition ?? ''))].toSorted();
  }

  /** One paragraph per statement: its first words and the partitions it reads. */
  async function shown(statements: readonly Sent[]): Promise<string> {
    assert.ok(statements.length > 0, 'no such statement was sent');
    const paragraphs = await Promise.all(
      statements.map(async (sent) => {
        const words = sent.text.trim().split(/\s+/).slice(0, 6).join(' ');
        return [words, ...(await partitionsIn(sent)).map((partition) => `  ${partition}`)].join('\n');
      }),
    );
    return `${paragraphs.join('\n')}\n`;
  }

  test('history price: the years of the range, one by one', async () => {
    const range = { product_id: productId, price_type: 0, start_date: '2025-12-01', end_date: '2026-02-15' };
    const sent = await sentBy(() => market.post('/api/data-hub/gpu/history/price', range), /\bfrom daily_price\b/);
    await matchesGolden('market/pruning-history.txt', await shown(sent));
  });

  test('explain: the month of the day, and its year', async () => {
    const sent = await sentBy(
      () => market.explain(slug, '2025-02-15'),
      /\b(daily_price|v join|o join|from observation)\b/,
    );
    await matchesGolden('market/pruning-explain.txt', await shown(sent));
  });

  test('a day that is read again: deleted, computed and replaced in its month and year', async () => {
    const path = await file('2.75', ['2025-02']);
    const sent = await sentBy(
      () => market.ingest(observations, path),
      /\bdelete from (observation|provider_price|daily_price)\b|\bfrom observation\s+where\b|\bfrom daily_price where\b/,
    );
    await matchesGolden('market/pruning-ingestion.txt', await shown(sent));
  });

  test('archive files: the month or the quarter', async () => {
    const sent = await sentBy(async () => {
      for await (const { part } of buildArchives(market.context, { from: '2025-02-15', to: '2025-02-15' }))
        if (part.tier === 3 && part.period.interval === 'quarter') break;
    }, /^\s*copy \(/);
    await matchesGolden('market/pruning-archives.txt', await shown(sent));
  });

  test('the GPU index: every year, once for each version of the market, for a chain is computed from its first day on', async () => {
    const { authorization } = await makeUser(market, { tier: 'plus' });
    const body = { gpu: slug, starting_date: '2025-12-01', ending_date: '2026-01-31' };
    const sent = await sentBy(
      () => call(market, 'POST', '/api/gpu-index/index', { body, headers: authorization }),
      /\bfrom provider_price\b/,
    );
    await matchesGolden('market/pruning-index.txt', await shown(sent));
  });
});
