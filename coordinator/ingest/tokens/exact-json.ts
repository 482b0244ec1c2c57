import type { SourceFile } from '../connector.ts';
import { readJson } from '../reading/read-json.ts';

/** The largest of these files has 1.6 MB. */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * A JSON document in which every number is the text that stands in the file: 3e-07 stays what was written and loses nothing
 * on its way through binary floats.
 */
export const readExactJson = (file: Pick<SourceFile, 'name' | 'content'>): Promise<unknown> =>
  readJson(file, MOST_BYTES, asWritten);

const asWritten = (_key: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' ? (context?.source ?? String(value)) : value;
