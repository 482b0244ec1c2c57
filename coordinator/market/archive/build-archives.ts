import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Context } from '../../platform/context.ts';
import { csvRule } from '../../platform/csv.ts';
import { readArchiveRows, selectFingerprint, selectPricedDays, type ArchivePart } from '../queries/archive-rows.ts';
import { findFingerprint, replaceArchive, takeReplaced } from '../queries/archives.ts';
import { schemaOn } from './archive-schema.ts';
import { LINK_SECONDS } from './download-archive.ts';
import { countLines } from './count-lines.ts';
import { periodsOf } from './periods.ts';

export interface BuiltArchive {
  part: ArchivePart;
  /** 'known': there is a file of the same rows already */
  outcome: 'built' | 'known';
  rows: number;
  bytes: number;
}

/** 2.5 times as fast as the usual 6 for a tenth more bytes (234 and 93 MB/s of such rows on one core). */
const GZIP_LEVEL = 3;
const tiers = [2, 3] as const;
const types = ['rental', 'retail'] as const;
const intervals = ['day', 'month', 'quarter', 'year'] as const;

/**
 * All files of both tiers whose period has days between `from` and `to`, in the columns in force today. One after the
 * other, each in a transaction of its own: what was built stays where a later one fails, and is not built again.
 */
export async function* buildArchives(
  context: Context,
  { from, to }: { from: string; to: string },
): AsyncGenerator<BuiltArchive> {
  const today = context.now().toISOString().slice(0, 10);
  await removeReplaced(context);
  for (const type of types) {
    const days = await selectPricedDays(context.sql, type, from, to);
    for (const tier of tiers)
      for (const interval of intervals)
        for (const period of periodsOf(interval, days))
          yield await buildArchive(context, { tier, type, period, version: schemaOn(today, type) });
  }
}

/** What was replaced longer ago than links to it last: a year's file is built anew every day, and disks are finite. */
async function removeReplaced({ sql, artifacts, now }: Context): Promise<void> {
  const before = new Date(now().getTime() - 2 * LINK_SECONDS * 1000);
  await sql.begin(async (tx) => {
    for (const key of await takeReplaced(tx, before)) await artifacts.remove(key);
  });
}

async function buildArchive(context: Context, part: ArchivePart): Promise<BuiltArchive> {
  return context.sql.begin('isolation level repeatable read', async (tx) => {
    await tx`set local statement_timeout = 0`;
    const rowsOf = await selectFingerprint(tx, part);
    // The rule of the text is part of it: a file that an older rule wrote is built again.
    const fingerprint = createHash('sha256')
      .update(`${part.version} ${JSON.stringify(csvRule)} ${rowsOf}`)
      .digest();
    const known = await findFingerprint(tx, part);
    if (known?.equals(fingerprint) === true) return { part, outcome: 'known', rows: 0, bytes: 0 };
    const lines = countLines();
    const packed = createGzip({ level: GZIP_LEVEL });
    const [stored] = await Promise.all([
      context.artifacts.put(packed, { contentType: 'application/gzip', extension: 'gz' }),
      pipeline(readArchiveRows(tx, part), lines.stream, packed),
    ]);
    const rows = lines.count() - 1;
    await replaceArchive(tx, part, {
      id: context.newId(),
      artifactKey: stored.key,
      rowCount: rows,
      sizeBytes: stored.sizeBytes,
      builtAt: context.now(),
      fingerprint,
    });
    return { part, outcome: 'built', rows, bytes: stored.sizeBytes };
  });
}
