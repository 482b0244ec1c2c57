import { crc32 } from 'node:zlib';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';
import { FormatError, type SourceFile } from '../connector.ts';
import { gather } from './gather.ts';

type Part = Pick<SourceFile, 'name' | 'content'>;

/** Bytes of an archive. Its directory stands at its end, so it is held whole; the catalogues we know are below 20 MB. */
const ARCHIVE_BYTES = 1024 ** 3;
/** The largest we know has 20 files. */
const MOST_FILES = 1000;
const NAME_LETTERS = 200;
/** What systems slip into archives. */
const litter = /(^|\/)(__MACOSX\/|\.)/;

/**
 * The files of a zip in the order of its directory. Their CRC-32 is checked while they are read.
 * @throws FormatError: cut off, damaged, encrypted, without files or with too many
 */
export async function* zipParts(archive: Part): AsyncGenerator<Part, void> {
  const zip = await opened(archive);
  // As the zip itself says, before any is read. A directory with more of them than it says is damaged.
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
    throw damaged(archive.name, 'is cut off or no whole zip file', error);
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
