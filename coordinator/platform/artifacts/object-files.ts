import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { OpenArtifact } from './store.ts';

/** Bytes of one read. */
const PIECE = 1024 * 1024;

interface WrittenObject {
  sha256: string;
  sizeBytes: number;
}

/**
 * Streams one immutable object to disk: temporary file, fsync, rename to the path that `pathOf` returns for its hash, fsync
 * of the directory. If the object is there already, nothing changes. Throws if it is empty or larger than `mostBytes`.
 */
export async function writeObject(
  content: AsyncIterable<Uint8Array>,
  { temporary, pathOf, mostBytes }: { temporary: string; pathOf: (sha256: string) => string; mostBytes: number },
): Promise<WrittenObject> {
  try {
    const written = await writeFile(temporary, content, mostBytes);
    const path = pathOf(written.sha256);
    if (!(await hasSize(path, written.sizeBytes))) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await rename(temporary, path);
      await syncDirectory(dirname(path));
    }
    return written;
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Streams content into a new file, flushed to the disk. Throws if it is empty or larger than `mostBytes`. */
export async function writeFile(
  path: string,
  content: AsyncIterable<Uint8Array>,
  mostBytes: number,
): Promise<WrittenObject> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const piece of content) {
      sizeBytes += piece.length;
      if (sizeBytes > mostBytes) throw sizeError(mostBytes);
      hash.update(piece);
      await file.appendFile(piece);
    }
    if (sizeBytes === 0) throw sizeError(mostBytes);
    await file.sync();
  } finally {
    await file.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

const sizeError = (mostBytes: number): Error => new Error(`An artifact has between 1 and ${mostBytes} bytes.`);

/** An object's bytes for one pass; null if it does not exist. Its last piece is withheld until the hash is verified. */
export async function openObject(path: string, sha256: string): Promise<OpenArtifact | null> {
  const found = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  // Opened with the first read: a generator that is never started would never close the file.
  const read = async (range = {}) => createReadStream(path, { highWaterMark: PIECE, ...range });
  return (
    found && {
      sizeBytes: found.size,
      version: `${found.ino} ${found.size} ${found.mtimeMs}`,
      content: checkedPieces(path, sha256, read),
      part: ({ first, last }) => pieces(() => read({ start: first, end: last })),
    }
  );
}

/** Opens what it reads with the first piece, so that it need not be closed if none is read. */
export async function* pieces(read: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<Buffer, void> {
  for await (const piece of await read()) yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
}

/** Throws before the last piece if the content does not match its hash, so that a damaged file is never served in full. */
export async function* checkedPieces(
  name: string,
  sha256: string,
  read: () => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Buffer, void> {
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  for await (const piece of pieces(read)) {
    hash.update(piece);
    if (held) yield held;
    held = piece;
  }
  if (hash.digest('hex') !== sha256) throw new Error(`The stored file ${name} is damaged: its hash differs.`);
  if (held) yield held;
}

export const objectPath = (root: string, key: string): string => join(root, ...key.split('/'));

async function hasSize(path: string, bytes: number): Promise<boolean> {
  const found = await stat(path).catch(() => null);
  return found?.size === bytes;
}

/** A rename is durable only once its directory is flushed. */
async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
