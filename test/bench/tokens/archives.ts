import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { createArtifactStore } from '../../../coordinator/platform/artifacts/create-artifact-store.ts';
import { buildTokenArchives } from '../../../coordinator/tokens/files/build-token-archives.ts';
import { makeDataDir, removeDataDir } from '../../support/data-dir.ts';
import { median, type BenchRow } from '../bench-row.ts';
import { benchPostgres } from '../coordinator/bench-database.ts';
import { seedContext } from '../coordinator/seed.ts';
import { copyWithin, withStatements } from '../copy-within.ts';
import { MODELS, seedTokens } from './seed-tokens.ts';

const LAST = '2026-12-31';
const DAYS = 365;
const MOST_MEBIBYTES = 300;
const MEBIBYTE = 1024 ** 2;
/** Milliseconds between two looks at the memory. */
const LOOK_MS = 20;
const STATEMENT_TIMEOUT_MS = 600_000;

interface Month {
  ours: number;
  copied: number;
  bytes: number;
}

/** Every file of a year of 500 models at four sellers, against the same statements of COPY into nothing within the server. */
export async function benchTokenArchives(): Promise<BenchRow[]> {
  const folder = await makeDataDir(tmpdir());
  const postgres = await benchPostgres(STATEMENT_TIMEOUT_MS);
  try {
    const { sql } = await postgres.create('tokens');
    await seedTokens(sql, { last: LAST, days: DAYS });
    const now = () => new Date();
    const config = { dataDir: folder, artifactUrl: null, publicUrl: 'http://127.0.0.1' };
    const context = { ...seedContext(sql), artifacts: await createArtifactStore(config, { now, randomBytes }) };
    const months = new Map<string, Month>();
    const before = process.memoryUsage.rss();
    let most = before;
    const look = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), LOOK_MS);
    let files = 0;
    try {
      let startedAt = performance.now();
      const building = buildTokenArchives(context, { from: '2026-01-01', to: LAST });
      for await (const { done, statement } of withStatements(sql, building)) {
        const ours = performance.now() - startedAt;
        if (done.outcome !== 'built') throw new Error(`${done.part.period.name} was there already`);
        const name = done.part.period.name.slice(0, 7);
        const month = months.get(name) ?? { ours: 0, copied: 0, bytes: 0 };
        month.ours += ours;
        month.copied += await copyWithin(sql, statement);
        month.bytes += done.bytes;
        months.set(name, month);
        files += 1;
        startedAt = performance.now();
      }
    } finally {
      clearInterval(look);
    }
    const what = `${files} files of ${DAYS} days of ${MODELS} models at 4 sellers`;
    return [speedRow([...months.values()], what), memoryRow((most - before) / MEBIBYTE, what)];
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
  note: `a month's files; COPY of the same rows to /dev/null within the server, after each file; ${what}`,
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
