import type { z } from 'zod';
import { FormatError, type SourceFile } from '../connector.ts';
import type { SourceRecord } from '../listing.ts';
import { gather, textLines } from './contents.ts';

/** Bytes of a document that is held whole. V8 has no text longer than 512 MiB less a few; the largest we know has 170. */
const DOCUMENT_BYTES = 480 * 1024 ** 2;

/** What a value of the document becomes; `source` is the text of a number or word as it stands there. */
type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** A JSON document, parsed and not yet checked. @throws FormatError: too large, no UTF-8, no JSON, cut off */
export async function readJson(
  file: Pick<SourceFile, 'name' | 'content'>,
  limit = DOCUMENT_BYTES,
  revive?: Revive,
): Promise<unknown> {
  const bytes = await gather(file, limit);
  return parsedJson(file, null, decoded(file, bytes), revive);
}

/** @throws FormatError with the parser's words */
export function parsedJson(file: Pick<SourceFile, 'name'>, row: number | null, text: string, revive?: Revive): unknown {
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    if (text.trim() === '') throw new FormatError(file, row, 'is empty');
    const why = error instanceof Error ? error.message : '';
    throw new FormatError(file, row, `is cut off or not JSON (${why})`, 'is cut off or not JSON');
  }
}

/** What stands for a row in a document; asked for no more often than it has rows. */
export const jsonRecord = (number: number, value: unknown): SourceRecord => ({ number, text: JSON.stringify(value) });

/**
 * A part of a document as its schema has it; `path` says where it stands, as in `Items[3]`.
 * @throws FormatError that names the path of the first thing amiss
 */
export function checked<T>(
  file: Pick<SourceFile, 'name'>,
  schema: z.ZodType<T>,
  value: unknown,
  path: string,
  row: number | null = null,
): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const place = (issue?.path ?? [])
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('');
  throw new FormatError(
    file,
    row,
    `is not of this format: ${`${path}${place}`.replace(/^\./, '') || 'the document'}: ${issue?.message ?? ''}`,
  );
}

function decoded(file: Pick<SourceFile, 'name'>, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError(file, null, 'is not UTF-8 text');
  }
}

/** One JSON value a line, empty lines left out; `number` is that of the line. @throws FormatError with the line */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<SourceRecord & { value: unknown }, void> {
  let number = 0;
  for await (const line of textLines(file, 'JSON Lines')) {
    number += 1;
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text.trim() !== '') yield { number, text, value: parsedJson(file, number, text) };
  }
}
