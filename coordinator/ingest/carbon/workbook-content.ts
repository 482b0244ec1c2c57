import { peek } from '../reading/peek.ts';
import type { CarbonFile } from './carbon-connector.ts';

/** Where the name of a zip's first file begins. */
const NAME_AT = 30;
const HEAD_BYTES = 64;
/** What the first file of a workbook is called; programs write one or the other first. */
const OF_WORKBOOK = /^(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/;

/** Whether a content is an .xlsx, which is a zip that is not to be taken apart, and the content again from its start. */
export async function peekedWorkbook<T extends Pick<CarbonFile, 'content'>>(file: T): Promise<[boolean, T]> {
  const { head, content } = await peek(file.content, HEAD_BYTES);
  const start = Buffer.from(head).toString('latin1');
  return [start.startsWith('PK\u0003\u0004') && OF_WORKBOOK.test(start.slice(NAME_AT)), { ...file, content }];
}
