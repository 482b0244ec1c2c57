import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Context } from '../context.ts';
import type { Transaction } from '../db/client.ts';
import { copyOut } from '../db/driver/copy.ts';
import { BACKUP_SCHEMA, type Manifest } from './manifest.ts';
import {
  artifactKeys,
  copyTableOut,
  countRows,
  partitions,
  readAtOneMoment,
  schemaVersion,
  sequences,
  tablesToCopy,
  type TableToCopy,
} from './queries.ts';

/** The disk limits the speed of a backup; a higher level would cost the cores that requests need. */
const GZIP_LEVEL = 1;

/**
 * Writes all rows as of one snapshot, and then every file that these rows refer to, into the new folder `target`. Jobs and
 * uploads continue meanwhile. The folder appears when it is complete. Throws if it already exists.
 */
export async function writeBackup({ sql, artifacts, now }: Context, target: string): Promise<Manifest> {
  if (await stat(target).catch(() => null)) throw new Error(`${target} already exists; name a new folder.`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(join(partial, 'tables'), { recursive: true, mode: 0o700 });
  const madeAt = now().toISOString();
  const rows = await sql.begin(async (tx) => {
    await readAtOneMoment(tx);
    const tables: Manifest['tables'] = [];
    for (const table of await tablesToCopy(tx)) {
      const sha256 = await writeTable(tx, table, join(partial, 'tables', `${table.name}.copy.gz`));
      tables.push({ ...table, rows: await countRows(tx, table.name), sha256 });
    }
    return {
      schema_version: await schemaVersion(tx),
      tables,
      partitions: [...(await partitions(tx))],
      sequences: [...(await sequences(tx))],
      keys: await artifactKeys(tx),
    };
  });
  const { keys, ...database } = rows;
  const files = await writeArtifacts(artifacts, keys, partial);
  const manifest: Manifest = { schema: BACKUP_SCHEMA, made_at: madeAt, ...database, ...files };
  await writeFile(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 1)}\n`, { flush: true });
  await rename(partial, target);
  const parent = await open(dirname(target), 'r');
  try {
    await parent.sync();
  } finally {
    await parent.close();
  }
  return manifest;
}

/** Returns the SHA-256 of the uncompressed text. */
async function writeTable(tx: Transaction, table: TableToCopy, path: string): Promise<string> {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform: (piece: Buffer, _encoding, done) => {
      hash.update(piece);
      done(null, piece);
    },
  });
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true });
  await pipeline(copyOut(copyTableOut(tx, table)), hashed, createGzip({ level: GZIP_LEVEL }), file);
  return hash.digest('hex');
}

async function writeArtifacts(
  store: Context['artifacts'],
  keys: readonly string[],
  folder: string,
): Promise<Pick<Manifest, 'artifacts' | 'vanished'>> {
  const artifacts: Manifest['artifacts'] = [];
  const vanished: string[] = [];
  for (const key of keys) {
    const opened = await store.open(key);
    if (!opened) {
      vanished.push(key);
      continue;
    }
    const path = join(folder, 'artifacts', key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    // The store verifies the hash in the key while it reads: a damaged file fails the backup.
    await pipeline(opened.content, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }));
    artifacts.push({ key, size_bytes: opened.sizeBytes });
  }
  return { artifacts, vanished };
}
