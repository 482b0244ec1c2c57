import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { pipeline, Readable } from 'node:stream';
import type { ArtifactStore } from '../artifacts/store.ts';
import type { Sql, Transaction } from '../db/client.ts';
import { copyIn } from '../db/driver/copy.ts';
import { manifest, type Manifest } from './manifest.ts';
import {
  copyTableIn,
  countRows,
  dropChecks,
  emptyTable,
  isInUse,
  makePartition,
  restoreChecks,
  setSequence,
  wakeTriggers,
} from './queries.ts';

/** The manifest of a backup. Throws one sentence if the folder has no manifest, or one in another format. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => null);
  if (text === null) throw new Error(`${folder} holds no backup: manifest.json is missing.`);
  const parsed = manifest.safeParse(JSON.parse(text));
  if (!parsed.success) throw new Error(`${folder}: its manifest.json cannot be read by this version.`);
  return parsed.data;
}

/**
 * Restores the rows of a backup into an unused database that has the schema of the backup's version; all or nothing. Each
 * table must match its hash and its row count, and Postgres checks all foreign keys again.
 */
export async function restoreRows(sql: Sql, folder: string, { tables, ...backup }: Manifest): Promise<void> {
  if (await isInUse(sql))
    throw new Error('This database is in use. Restore into an empty one: another DATA_DIR, or another database.');
  await sql.begin(async (tx) => {
    const checks = await dropChecks(tx);
    for (const { name } of tables) await emptyTable(tx, name);
    for (const partition of backup.partitions) await makePartition(tx, partition);
    for (const table of tables) await readTable(tx, table, join(folder, 'tables', `${table.name}.copy.gz`));
    for (const { name } of tables) await wakeTriggers(tx, name);
    for (const sequence of backup.sequences) await setSequence(tx, sequence);
    await restoreChecks(tx, checks);
  });
}

async function readTable(tx: Transaction, table: Manifest['tables'][number], path: string): Promise<void> {
  const hash = createHash('sha256');
  const target = await copyIn(copyTableIn(tx, table));
  const text = createGunzip();
  pipeline(createReadStream(path), text, () => undefined);
  for await (const piece of text as AsyncIterable<Buffer>) {
    hash.update(piece);
    await target.write(piece);
  }
  await target.end();
  if (hash.digest('hex') !== table.sha256) throw new Error(`The backup is damaged: ${path} does not match its hash.`);
  const rows = await countRows(tx, table.name);
  if (rows !== table.rows) throw new Error(`${table.name}: restored ${rows} of ${table.rows} rows.`);
}

/** Restores every file of the backup into the store, under its old key. Throws if one is damaged. */
export async function restoreArtifacts(store: ArtifactStore, folder: string, backup: Manifest): Promise<void> {
  for (const { key } of backup.artifacts) {
    const extension = key.slice(key.lastIndexOf('.') + 1);
    const content = Readable.from(createReadStream(join(folder, 'artifacts', key))) as AsyncIterable<Uint8Array>;
    const stored = await store.put(content, { contentType: contentTypes[extension] ?? BINARY, extension });
    if (stored.key !== key) throw new Error(`The backup is damaged: artifacts/${key} does not match its hash.`);
  }
}

const BINARY = 'application/octet-stream';
const contentTypes: Record<string, string> = {
  pdf: 'application/pdf',
  gz: 'application/gzip',
  json: 'application/json',
};
