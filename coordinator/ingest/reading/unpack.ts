import { pipeline } from 'node:stream';
import { createGunzip, crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { FormatError, type SourceFile } from '../connector.ts';
import { peek, gather } from './contents.ts';

export type Part = Pick<SourceFile, 'name' | 'content'>;

/** Most bytes of an unpacked file or archive. 50 million rows of observations are 8 GB; far more is a decompression bomb. */
const UNPACKED_BYTES = 64 * 1024 ** 3;
/**
 * Most unpacked bytes per packed byte. Tables reach at most 40, deflate 1,032: anything above this limit is a bomb. Checked
 * only after `RATIO_FROM_BYTES`, since the ratio of a few bytes says little.
 */
const MOST_RATIO = 300;
const RATIO_FROM_BYTES = 16 * 1024 ** 2;

/**
 * The files in a content: those of a zip one after the other, named `archive.zip/file.csv`; else the content itself, a gzip
 * unpacked. The format is detected by the first bytes, not by the name; nested archives are not unpacked. Read each file
 * before requesting the next.
 * @throws FormatError, also while a part is read: cut off, damaged, a bomb, or together larger than `limit` bytes
 */
export async function* unpack(packed: Part, limit = UNPACKED_BYTES): AsyncGenerator<Part, void> {
  const arrived = { bytes: 0 };
  const { head, content } = await peek(counted(packed.content, arrived), 4);
  const file = { name: packed.name, content };
  const sizes = { limit, arrived, unpacked: 0 };
  if (starts(head, [0x1f, 0x8b])) yield { name: file.name, content: limited(file.name, gunzipped(file), sizes) };
  // The second signature is a zip without files, the third a multi-volume zip; both are rejected as zips, not read as text.
  else if (starts(head, [0x50, 0x4b, 3, 4]) || starts(head, [0x50, 0x4b, 5, 6]) || starts(head, [0x50, 0x4b, 7, 8])) {
    for await (const part of zipParts(file))
      yield { name: part.name, content: limited(part.name, part.content, sizes) };
  } else yield { name: file.name, content: limited(file.name, content, sizes) };
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  arrived: { bytes: number },
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    arrived.bytes += chunk.length;
    yield chunk;
  }
}

const starts = (head: Uint8Array, bytes: readonly number[]): boolean => bytes.every((byte, at) => head[at] === byte);

async function* gunzipped({ name, content }: Part): AsyncGenerator<Uint8Array, void> {
  const gunzip = createGunzip();
  // Errors of either side reach the loop below through `gunzip`.
  pipeline(content, gunzip, () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (!code.startsWith('Z_')) throw error;
    const why = code === 'Z_BUF_ERROR' ? 'is cut off: the gzip ends before its end mark' : 'is a damaged gzip file';
    throw new FormatError({ name }, null, why);
  }
}

/** Byte counts of a whole archive. */
interface Sizes {
  limit: number;
  /** packed bytes received so far; for a zip all of them, since it is held whole */
  arrived: { bytes: number };
  unpacked: number;
}

async function* limited(
  name: string,
  content: AsyncIterable<Uint8Array>,
  sizes: Sizes,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of content) {
    sizes.unpacked += chunk.length;
    if (sizes.unpacked > sizes.limit)
      throw new FormatError({ name }, null, `unpacks to more than ${sizes.limit} bytes; reading stops there`);
    if (sizes.unpacked > RATIO_FROM_BYTES && sizes.unpacked > MOST_RATIO * sizes.arrived.bytes)
      throw new FormatError({ name }, null, `unpacks to more than ${MOST_RATIO} times its size; reading stops there`);
    yield chunk;
  }
}

/** Most bytes of a zip. Its directory is at its end, so it is held whole; the catalogues we know are below 20 MB. */
const ARCHIVE_BYTES = 1024 ** 3;
/** The largest we know has 20 files. */
const MOST_FILES = 1000;
const NAME_LETTERS = 200;
/** Files that operating systems add to archives. */
const litter = /(^|\/)(__MACOSX\/|\.)/;

/**
 * The files of a zip in the order of its directory. Their CRC-32 is checked while they are read.
 * @throws FormatError: cut off, damaged, encrypted, without files or with too many
 */
async function* zipParts(archive: Part): AsyncGenerator<Part, void> {
  const zip = await opened(archive);
  // The count that the zip states, checked before any file is read. A directory with more entries than stated is damaged.
  if (zip.entryCount > MOST_FILES) throw new FormatError(archive, null, `is a zip with more than ${MOST_FILES} files`);
  let files = 0;
  for await (const entry of entriesOf(archive.name, zip)) {
    if (entry.fileName.endsWith('/') || litter.test(entry.fileName)) continue;
    files += 1;
    const name = `${archive.name}/${entry.fileName.replace(/\p{Cc}/gu, '?').slice(0, NAME_LETTERS)}`;
    yield { name, content: contentOf(name, zip, entry) };
  }
  if (files === 0) throw new FormatError(archive, null, 'is a zip without files in it');
}

async function opened(archive: Part): Promise<ZipFile> {
  const bytes = await gather(archive, ARCHIVE_BYTES);
  try {
    return await fromBufferPromise(bytes, { lazyEntries: true });
  } catch (error) {
    throw damaged(archive.name, 'is cut off or not a whole zip file', error);
  }
}

async function* entriesOf(name: string, zip: ZipFile): AsyncGenerator<Entry, void> {
  try {
    for await (const entry of zip.eachEntry()) yield entry;
  } catch (error) {
    throw error instanceof FormatError ? error : damaged(name, 'is a damaged zip file', error);
  }
}

async function* contentOf(name: string, zip: ZipFile, entry: Entry): AsyncGenerator<Uint8Array, void> {
  let sum = 0;
  try {
    for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
  } catch (error) {
    throw damaged(name, 'cannot be unpacked', error);
  }
  if (sum !== entry.crc32) throw new FormatError({ name }, null, 'is damaged: its checksum is not the one in the zip');
}

const damaged = (name: string, what: string, error: unknown): FormatError =>
  new FormatError({ name }, null, `${what} (${error instanceof Error ? error.message : String(error)})`, what);
