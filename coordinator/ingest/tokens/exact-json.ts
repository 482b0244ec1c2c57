import { FormatError, type SourceFile } from '../connector.ts';
import { gather } from '../reading/gather.ts';

/** The largest of these files has 1.6 MB. */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * A JSON document in which every number is the text that stands in the file: 3e-07 stays what was written and loses nothing
 * on its way through binary floats.
 */
export async function readExactJson(file: Pick<SourceFile, 'name' | 'content'>): Promise<unknown> {
  const text = decoded(file, await gather(file, MOST_BYTES));
  if (text.trim() === '') throw new FormatError(file, null, 'is empty');
  try {
    return JSON.parse(text, asWritten);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    throw new FormatError(file, null, `is cut off or no JSON (${why})`, 'is cut off or no JSON');
  }
}

const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;

function decoded(file: Pick<SourceFile, 'name'>, bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new FormatError(file, null, 'is not UTF-8 text');
  }
}
