import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { createArtifactStore } from '../../../coordinator/platform/artifacts/create-artifact-store.ts';
import { buildTokenArchives } from '../../../coordinator/tokens/files.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { benchPostgres } from '../coordinator/bench-database.ts';
import { seedContext } from '../coordinator/seed.ts';
import { copyWithin, withStatements } from '../copy-within.ts';
import { MODELS, seedTokens } from '../../support/seed-tokens.ts';

const LAST = '2026-12-31';
const DAYS = 365;
const MOST_MEBIBYTES = 300;
const MEBIBYTE = 1024 ** 2;
/** Milliseconds between two memory samples. */
const LOOK_MS = 20;
const STATEMENT_TIMEOUT_MS = 600_000;

interface Month {
  ours: number;
  copied: number;
}

/** First and last day of a month of 2026. */
const monthOf = (month: number): { from: string; to: string } => {
  const day = (of: number, date: number): string => new Date(Date.UTC(2026, of, date)).toISOString().slice(0, 10);
  return { from: day(month - 1, 1), to: day(month, 0) };
};

/**
 * Every file of a year of 500 models at four sellers, compared with the same COPY statements into /dev/null within the
 * server.
 */
export async function benchTokenArchives(): Promise<BenchRow[]> {
  const folder = await makeDataDir(tmpdir());
  const postgres = await benchPostgres(STATEMENT_TIMEOUT_MS);
  try {
    const { sql } = await postgres.create('tokens');
    await seedTokens(sql, { last: LAST, days: DAYS });
    const now = () => new Date();
    const config = { dataDir: folder, s3: null, publicUrl: 'http://127.0.0.1' };
    const context = { ...seedContext(sql), artifacts: await createArtifactStore(config, { sql, now, randomBytes }) };
    const months: Month[] = [];
    const before = process.memoryUsage.rss();
    let most = before;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), LOOK_MS);
    let files = 0;
    try {
      for (let at = 1; at <= 12; at += 1) {
        const days = monthOf(at);
        const statements: string[] = [];
        const startedAt = performance.now();
        for await (const { outcome } of withStatements(sql, buildTokenArchives(context, days), statements))
          if (outcome !== 'built') throw new Error(`${days.from}: a file was there already`);
        const ours = performance.now() - startedAt;
        let copied = 0;
        for (const statement of statements) copied += await copyWithin(sql, statement);
        months.push({ ours, copied });
        files += statements.length;
      }
    } finally {
      clearInterval(look);
    }
    const what = `${files} files of ${DAYS} days of ${MODELS} models at 4 sellers`;
    return [speedRow(months, what), memoryRow((most - before) / MEBIBYTE, what)];
  } finally {
    await postgres.close();
    await removeDataDir(folder);
  }
}

const speedRow = (months: readonly Month[], what: string): BenchRow => ({
  name: 'token archives, speed',
  ours: median(months.map(({ ours }) => ours)),
  peer: median(months.map(({ copied }) => copied)),
  unit: 'ms',
  ratio: median(months.map(({ ours, copied }) => copied / ours)),
  target: { atLeast: 0.5 },
  note: `a month's files; COPY of the same rows to /dev/null within the server, after each month; two files at a time; ${what}`,
});

const memoryRow = (growth: number, what: string): BenchRow => ({
  name: 'token archives, memory',
  ours: growth,
  peer: MOST_MEBIBYTES,
  unit: 'MiB',
  ratio: growth / MOST_MEBIBYTES,
  target: { atMost: 1 },
  note: `resident memory at most, above what it was before; ${what}`,
});
