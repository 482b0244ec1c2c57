import { randomBytes } from 'node:crypto';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { buildArchives } from '../../../coordinator/market/archive/archives.ts';
import { createArtifactStore } from '../../../coordinator/platform/artifacts/create-artifact-store.ts';
import type { Context } from '../../../coordinator/platform/context.ts';
import { copyOut } from '../../../coordinator/platform/db/driver/copy.ts';
import type { BenchRow } from '../bench-row.ts';
import { median } from '../../../coordinator/figures/statistics.ts';
import { copyWithin, withStatements } from '../copy-within.ts';
import type { MarketDatabase } from './market-database.ts';
import { months } from './synthetic-market.ts';

/** Months whose files are built, each with the file of one of its days. */
const MEASURED = [4, 8, 12, 16, 20];
const DAY = 10;
/** The gzip level of the product's files; the gzip floor uses the same. */
const GZIP_LEVEL = 3;
const MEBIBYTE = 1024 ** 2;

/** One file: milliseconds of each method, and bytes before compression. */
interface Built {
  bytes: number;
  ours: number;
  copied: number;
  packed: number;
}

/**
 * Files of every offer of a day and of its month, compared with the same COPY statement: into /dev/null within the
 * server, which is the most the server can deliver, and through a client's gzip.
 */
export async function benchArchives(market: MarketDatabase, folder: string): Promise<BenchRow> {
  const config = { dataDir: folder, s3: null, publicUrl: 'http://127.0.0.1' };
  const artifacts = await createArtifactStore(config, {
    sql: market.context.sql,
    now: market.context.now,
    randomBytes,
  });
  const context = { ...market.context, artifacts };
  const rounds: Built[] = [];
  for (const month of MEASURED) {
    const day = months[month]?.days[DAY] ?? '';
    const files: Built[] = [];
    for await (const { ms, statement } of builtOf(context, day)) {
      const copied = await copyWithin(context.sql, statement);
      const packed = await copyPacked(context, statement);
      files.push({ bytes: packed.bytes, ours: ms, copied, packed: packed.ms });
    }
    const sum = (of: (file: Built) => number): number => files.reduce((total, file) => total + of(file), 0);
    rounds.push({
      bytes: sum(({ bytes }) => bytes),
      ours: sum(({ ours }) => ours),
      copied: sum(({ copied }) => copied),
      packed: sum(({ packed }) => packed),
    });
  }
  return archiveRow(rounds);
}

/** Builds the tier-3 files of a day and of its month, but not those of longer periods. */
async function* builtOf(context: Context, day: string): AsyncGenerator<{ ms: number; statement: string }> {
  let startedAt = performance.now();
  const statements: string[] = [];
  const building = buildArchives(context, { from: day, to: day });
  for await (const { part, outcome } of withStatements(context.sql, building, statements)) {
    const ms = performance.now() - startedAt;
    if (part.tier === 3 && ['day', 'month'].includes(part.period.interval)) {
      if (outcome !== 'built') throw new Error(`${part.period.name} was there already`);
      yield { ms, statement: statements.at(-1) ?? '' };
      if (part.period.interval === 'month') return;
    }
    startedAt = performance.now();
  }
}

async function copyPacked({ sql }: Context, statement: string): Promise<{ ms: number; bytes: number }> {
  let bytes = 0;
  const startedAt = performance.now();
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  await sql.begin(async (tx) => {
    async function* counted(): AsyncGenerator<Buffer> {
      for await (const piece of copyOut(tx.unsafe(statement))) {
        bytes += piece.length;
        yield piece;
      }
    }
    await pipeline(counted, createGzip({ level: GZIP_LEVEL }), nowhere);
  });
  return { ms: performance.now() - startedAt, bytes };
}

function archiveRow(rounds: readonly Built[]): BenchRow {
  const rate = (name: 'ours' | 'copied' | 'packed'): number =>
    median(rounds.map((round) => round.bytes / MEBIBYTE / (round[name] / 1000)));
  const size = median(rounds.map(({ bytes }) => bytes / MEBIBYTE));
  return {
    name: 'archive files',
    ours: rate('ours'),
    peer: rate('copied'),
    unit: 'MiB/s',
    ratio: median(rounds.map(({ ours, copied }) => copied / ours)),
    target: { atLeast: 0.5 },
    note: `COPY of the same rows to /dev/null within the server; through a client's gzip ${rate('packed').toFixed(0)} MiB/s; ${rounds.length} rounds of ${size.toFixed(0)} MiB`,
  };
}
