import { MIMEType } from 'node:util';

/** The media type of a Content-Type, in lower case and without its parameters; null if there is none or it is malformed. */
export function mediaTypeOf(header: string | undefined): string | null {
  // What nearly every caller sends; parsing costs as much as a small body.
  if (header === undefined || header === 'application/json') return header ?? null;
  try {
    return new MIMEType(header).essence;
  } catch {
    return null;
  }
}

export const isJson = (header: string | undefined): boolean =>
  /^application\/(.+\+)?json$/.test(mediaTypeOf(header) ?? '');

/** Whether a Content-Encoding says that the body is not sent as it is. */
export const isEncoded = (header: string | null | undefined): boolean => !/^(\s*identity\s*)?$/i.test(header ?? '');

/** Whether an Accept-Encoding asks for a coding: by its name, or by `*` if it is not named (RFC 9110, 12.5.3). */
export function acceptsCoding(header: string | undefined, coding: 'gzip' | 'br'): boolean {
  const weights = new Map(
    (header ?? '').split(',').map((part): [string, number] => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='));
      return [name.replace(/^x-/, ''), weight === undefined ? 1 : Number(weight.slice(2))];
    }),
  );
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

/** Whether an If-None-Match names this tag: `*`, or a list compared weakly (RFC 9110, 13.1.2). */
export const hasTag = (header: string | undefined, tag: string): boolean =>
  header?.trim() === '*' || header?.match(/"[^"]*"/g)?.some((listed) => listed === tag) === true;

/** One range of bytes as asked for: from `first`, to `last` or the end; or the last `suffix` bytes. */
type AskedRange = { first: number; last: number } | { suffix: number };

/**
 * The range that a request asks for; null: the whole, which is also right for several ranges, for other units, and for an
 * If-Range that names other content (RFC 9110, 13.1.5 and 14.2).
 */
export function rangeOf({ range, ifRange, tag }: Record<'range' | 'ifRange', string | undefined> & { tag: string }) {
  const [, first, last, suffix] = /^\s*bytes=\s*(?:(\d{1,15})-(\d{1,15})?|-(\d{1,15}))\s*$/i.exec(range ?? '') ?? [];
  if (ifRange !== undefined && ifRange !== tag) return null;
  if (suffix !== undefined) return { suffix: Number(suffix) };
  if (first === undefined) return null;
  const asked = { first: Number(first), last: last === undefined ? Number.POSITIVE_INFINITY : Number(last) };
  return asked.last < asked.first ? null : asked;
}

/** The part of `total` bytes that a range means, both ends included; null if there is none. */
export function partOf(range: AskedRange, total: number): { first: number; last: number } | null {
  const first = 'suffix' in range ? Math.max(0, total - range.suffix) : range.first;
  const last = 'suffix' in range ? total - 1 : Math.min(range.last, total - 1);
  return first > last ? null : { first, last };
}
