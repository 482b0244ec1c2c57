import { FormatError } from '../connector.ts';
import { gather } from './gather.ts';
import { parsedJson } from './read-json.ts';
import { SourceError, withoutSecrets } from './source-error.ts';

/** URL of the page after this one; null: it was the last. */
export type NextPage = (page: unknown) => string | null;

const PAGE_BYTES = 64 * 1024 ** 2;
/** Azure's list of all GPU machines has about 60 pages of 1,000 items. */
const PAGES = 5000;

/**
 * A list that a server gives out in pages, as one JSON array of these pages. A link to another origin is not followed.
 * @throws SourceError, FormatError
 */
export async function* followPages(
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
    throw new SourceError(url, 'its next page is said to be at another host or protocol');
  if (seen.has(link))
    throw new FormatError({ name: withoutSecrets(url) }, null, 'its pages lead back to one that was read');
  if (seen.size >= PAGES) throw new FormatError({ name: withoutSecrets(url) }, null, `has more than ${PAGES} pages`);
  seen.add(link);
}

/** Known servers of pages, by host. */
export function nextPageOf(url: string): NextPage | null {
  return new URL(url).host === 'prices.azure.com' ? azureNextPage : null;
}

export function azureNextPage(page: unknown): string | null {
  if (typeof page !== 'object' || page === null || !('NextPageLink' in page)) return null;
  // Azure writes its own port into the link: https://prices.azure.com:443/...
  return typeof page.NextPageLink === 'string' && page.NextPageLink !== '' ? new URL(page.NextPageLink).href : null;
}
