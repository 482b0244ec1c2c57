import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { fetchSource, type Fetched, type FetchOptions } from './fetch-source.ts';
import { causeOf, SourceError, withoutSecrets } from './source-error.ts';
import { FormatError } from '../connector.ts';
import { gather } from './contents.ts';
import { parsedJson } from './read-json.ts';

/** Bytes read so far, and the total if it is known. */
export type OnProgress = (bytes: number, size: number | null) => void;

export interface OpenOptions extends FetchOptions {
  onProgress?: OnProgress | undefined;
  /** for a paged list; null: not paged; left out: decided by the host */
  nextPage?: NextPage | null | undefined;
}

/**
 * Opens a path or an http(s) URL for reading; 'unchanged' if the server still has the version that `etag` names. The
 * content is not unpacked and can be read once; `size` is its number of bytes, if the disk or the server states it.
 * @throws SourceError, also while the content is read: one sentence that names the source
 */
export async function openSource(name: string, options: OpenOptions = {}): Promise<Fetched | 'unchanged'> {
  const opened = /^https?:\/\//i.test(name) ? await openUrl(name, options) : await openFile(name);
  if (opened === 'unchanged' || options.onProgress === undefined) return opened;
  return { ...opened, content: counted(opened, options.onProgress) };
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
  if (!URL.canParse(url)) throw new SourceError(url, 'is not a URL');
  const next = options.nextPage === undefined ? nextPageOf(url) : options.nextPage;
  if (next === null) return fetchSource(url, options);
  // An ETag and a length describe only the first page.
  const { retryMs, mayConnect } = options;
  const open = async (page: string): Promise<AsyncIterable<Uint8Array>> => {
    const fetched = await fetchSource(page, { retryMs, mayConnect });
    if (fetched === 'unchanged') throw new SourceError(page, 'answered 304 to a plain request');
    return fetched.content;
  };
  return { content: followPages(url, await open(url), next, open), size: null, etag: null };
}

async function* counted({ content, size }: Fetched, onProgress: OnProgress): AsyncGenerator<Uint8Array, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    onProgress(bytes, size);
    yield chunk;
  }
}

/** URL of the page after this one; null after the last. */
type NextPage = (page: unknown) => string | null;

const PAGE_BYTES = 64 * 1024 ** 2;
/** Azure's list of all GPU machines has about 60 pages of 1,000 items. */
const PAGES = 5000;

/**
 * A paged list as one JSON array of its pages. A link to another origin is not followed.
 * @throws SourceError, FormatError
 */
async function* followPages(
  url: string,
  first: AsyncIterable<Uint8Array>,
  next: NextPage,
  open: (url: string) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array, void> {
  const name = withoutSecrets(url);
  const seen = new Set([url]);
  let content: AsyncIterable<Uint8Array> | null = first;
  let separator = '[';
  while (content !== null) {
    const page = await gather({ name, content }, PAGE_BYTES);
    yield Buffer.from(separator);
    yield page;
    separator = ',';
    const link = next(parsedJson({ name }, null, page.toString('utf8')));
    if (link !== null) checkLink(url, link, seen);
    content = link === null ? null : await open(link);
  }
  yield Buffer.from(']');
}

function checkLink(url: string, link: string, seen: Set<string>): void {
  if (!URL.canParse(link) || new URL(link).origin !== new URL(url).origin)
    throw new SourceError(url, 'its link to the next page leads to another host or protocol');
  if (seen.has(link))
    throw new FormatError({ name: withoutSecrets(url) }, null, 'its pages lead back to one that was read');
  if (seen.size >= PAGES) throw new FormatError({ name: withoutSecrets(url) }, null, `has more than ${PAGES} pages`);
  seen.add(link);
}

/** How known servers page their lists, by host. */
function nextPageOf(url: string): NextPage | null {
  return new URL(url).host === 'prices.azure.com' ? azureNextPage : null;
}

export function azureNextPage(page: unknown): string | null {
  if (typeof page !== 'object' || page === null || !('NextPageLink' in page)) return null;
  // Azure writes its own port into the link: https://prices.azure.com:443/...
  return typeof page.NextPageLink === 'string' && page.NextPageLink !== '' ? new URL(page.NextPageLink).href : null;
}
