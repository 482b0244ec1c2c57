import type { z } from 'zod';
import { FormatError, type SourceFile } from '../connector.ts';
import type { SourceRecord } from '../listing.ts';
import { gather, textLines } from './contents.ts';
import { findNoText } from './encoding.ts';

/** Most bytes of a document, which is held whole. V8 strings end just below 512 MiB; the largest document we know is 170 MiB. */
const DOCUMENT_BYTES = 480 * 1024 ** 2;

/** A reviver for `JSON.parse`; `source` is the text of a primitive value as written. */
type Revive = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** A JSON document, parsed but not yet validated. @throws FormatError: too large, not UTF-8, not JSON, cut off */
export async function readJson(
  file: Pick<SourceFile, 'name' | 'content'>,
  limit = DOCUMENT_BYTES,
  revive?: Revive,
): Promise<unknown> {
  const bytes = await gather(file, limit);
  return parsedJson(file, null, decoded(file, bytes), revive);
}

/** @throws FormatError with the parser's message */
export function parsedJson(file: Pick<SourceFile, 'name'>, row: number | null, text: string, revive?: Revive): unknown {
  try {
    return JSON.parse(text, revive);
  } catch (error) {
    if (text.trim() === '') throw new FormatError(file, row, 'is empty');
    const why = error instanceof Error ? error.message : '';
    throw new FormatError(file, row, `is cut off or not JSON (${why})`, 'is cut off or not JSON');
  }
}

/** The equivalent of a row in a document. Call it once per row: it serialises the value. */
export const jsonRecord = (number: number, value: unknown): SourceRecord => ({ number, text: JSON.stringify(value) });

/**
 * A part of a document, validated by its schema; `path` is its location, as in `Items[3]`.
 * @throws FormatError that names the path of the first mismatch
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
  const noText = findNoText(bytes);
  if (noText !== null) throw new FormatError(file, null, noText.sentence);
  return new TextDecoder().decode(bytes);
}

/** One JSON value per line, empty lines skipped; `number` is the line number. @throws FormatError with the line number */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<SourceRecord & { value: unknown }, void> {
  let number = 0;
  for await (const line of textLines(file, 'JSON Lines')) {
    number += 1;
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text.trim() !== '') yield { number, text, value: parsedJson(file, number, text) };
  }
}
