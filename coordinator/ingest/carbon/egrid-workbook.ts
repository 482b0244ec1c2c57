import { InvalidInputError, InvalidSpreadsheetError, readSheet } from 'read-excel-file/node';
import { FormatError } from '../connector.ts';
import { gather, peek } from '../reading/contents.ts';
import { unpack } from '../reading/unpack.ts';
import type { CarbonFile } from './carbon-connector.ts';

/** EPA's workbooks of 2022 and 2023 are below 20 MB, most of which is the list of generators. */
const MOST_BYTES = 64 * 1024 ** 2;
/** Most bytes of a workbook unpacked; it is held in memory as text. */
const MOST_UNPACKED = 512 * 1024 ** 2;
const CONTENTS = 'xl/workbook.xml';

interface SubregionSheet {
  year: number;
  /** the codes of the columns: SUBRGN, SRCO2RTA */
  header: readonly string[];
  /** as many cells as the header has; empty ones are empty strings */
  rows: readonly (readonly string[])[];
}

/**
 * Sheet SRL of EPA's eGRID workbook: the long names of the columns, then their codes, then a row for each subregion.
 * @throws FormatError: not a workbook, too large, no such sheet
 */
export async function readEgridWorkbook(file: CarbonFile): Promise<SubregionSheet> {
  const bytes = await gather(file, MOST_BYTES);
  const name = await sheetIn(file, bytes);
  const cells = await cellsOf(file, bytes, name);
  const at = cells.findIndex((row) => row.includes('SUBRGN'));
  const header = cells[at];
  if (!header) throw new FormatError(file, null, `has no row with the code SUBRGN in its sheet ${name}`);
  const rows = cells.slice(at + 1).filter((row) => row.some((cell) => cell !== ''));
  return { year: 2000 + Number(name.slice(3)), header, rows };
}

/** The name of sheet SRL. Unpacks everything once, so that true size and checksums are checked before the actual parsing. */
async function sheetIn(file: CarbonFile, bytes: Buffer): Promise<string> {
  let contents = '';
  for await (const part of unpack({ name: file.name, content: once(bytes) }, MOST_UNPACKED)) {
    if (part.name === `${file.name}/${CONTENTS}`) contents = (await gather(part, MOST_BYTES)).toString('utf8');
    else for await (const chunk of part.content) void chunk;
  }
  const sheet = /<sheet\b[^>]*\bname="(SRL\d\d)"/.exec(contents)?.[1];
  if (sheet === undefined)
    throw new FormatError(file, null, 'is not an eGRID workbook: it has no sheet SRL with a year');
  return sheet;
}

async function cellsOf(file: CarbonFile, bytes: Buffer, sheet: string): Promise<string[][]> {
  try {
    const rows = await readSheet(bytes, sheet);
    return rows.map((row) => row.map((cell) => (cell === null ? '' : String(cell).trim())));
  } catch (error) {
    if (error instanceof InvalidInputError || error instanceof InvalidSpreadsheetError)
      throw new FormatError(file, null, `is a damaged workbook (${error.message})`, 'is a damaged workbook');
    throw error;
  }
}

// oxlint-disable-next-line typescript/require-await -- a content is an async iterable
async function* once(bytes: Buffer): AsyncGenerator<Uint8Array, void> {
  yield bytes;
}

/** Offset at which the name of a zip's first file begins. */
const NAME_AT = 30;
const HEAD_BYTES = 64;
/** Names of a workbook's first file; which one comes first depends on the program that wrote it. */
const OF_WORKBOOK = /^(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/)/;

/** Whether a content is an .xlsx, which is a zip that must not be unpacked, and the content again from its start. */
export async function peekedWorkbook<T extends Pick<CarbonFile, 'content'>>(file: T): Promise<[boolean, T]> {
  const { head, content } = await peek(file.content, HEAD_BYTES);
  const start = Buffer.from(head).toString('latin1');
  return [start.startsWith('PK\u0003\u0004') && OF_WORKBOOK.test(start.slice(NAME_AT)), { ...file, content }];
}
