import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fetchSource, type Fetched, type FetchOptions } from './fetch-source.ts';
import { followPages, nextPageOf, type NextPage } from './follow-pages.ts';
import { causeOf, SourceError } from './source-error.ts';

export interface OpenOptions extends FetchOptions {
  /** called with the bytes read so far */
  onBytes?: ((bytes: number) => void) | undefined;
  /** for a list in pages; null: none; left out: by the host */
  nextPage?: NextPage | null | undefined;
}

/**
 * A path or an http(s) URL for reading; 'unchanged' where the server still has what `etag` names. The content is as it
 * came, packed if it was, for one pass; `size` are the bytes that will come, where the disk or the server says it.
 * @throws SourceError, also while the content is read: one sentence that names the source
 */
export async function openSource(name: string, options: OpenOptions = {}): Promise<Fetched | 'unchanged'> {
  const opened = /^https?:\/\//i.test(name) ? await openUrl(name, options) : await openFile(name);
  if (opened === 'unchanged' || options.onBytes === undefined) return opened;
  return { ...opened, content: counted(opened.content, options.onBytes) };
}

async function openFile(path: string): Promise<Fetched> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw new SourceError(path, 'is a folder; name a file in it');
    return { content: fileContent(path), size: found.isFile() ? found.size : null, etag: null };
  } catch (error) {
    if (error instanceof SourceError) throw error;
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    throw new SourceError(path, missing ? 'there is no such file' : `cannot be read: ${causeOf(error)}`, error);
  }
}

async function* fileContent(path: string): AsyncGenerator<Uint8Array, void> {
  try {
    yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
  } catch (error) {
    throw new SourceError(path, `cannot be read: ${causeOf(error)}`, error);
  }
}

async function openUrl(url: string, options: OpenOptions): Promise<Fetched | 'unchanged'> {
  if (!URL.canParse(url)) throw new SourceError(url, 'is no URL');
  const next = options.nextPage === undefined ? nextPageOf(url) : options.nextPage;
  if (next === null) return fetchSource(url, options);
  // An ETag and a length are those of the first page alone.
  const { retryMs, mayConnect } = options;
  const open = async (page: string): Promise<AsyncIterable<Uint8Array>> => {
    const fetched = await fetchSource(page, { retryMs, mayConnect });
    if (fetched === 'unchanged') throw new SourceError(page, 'answered 304 to a plain request');
    return fetched.content;
  };
  return { content: followPages(url, await open(url), next, open), size: null, etag: null };
}

async function* counted(
  content: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}
