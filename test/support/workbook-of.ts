import { zipOf } from './zip-of.ts';

type Cell = string | number | null;

/** An .xlsx by the book (ECMA-376) with inline texts: its sheets by name, in order. */
export function workbookOf(sheets: Record<string, readonly (readonly Cell[])[]>): Buffer {
  const names = Object.keys(sheets);
  const numbered = names.map((name, at) => ({ name, at: at + 1 }));
  const files: Record<string, string> = {
    '[Content_Types].xml': xml(
      `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
        <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
        <Default Extension="xml" ContentType="application/xml"/>
        <Override PartName="/xl/workbook.xml" ContentType="${MAIN}.sheet.main+xml"/>
        ${numbered.map(({ at }) => `<Override PartName="/xl/worksheets/sheet${at}.xml" ContentType="${MAIN}.worksheet+xml"/>`).join('')}
      </Types>`,
    ),
    '_rels/.rels': relations([{ id: 'rId1', type: 'officeDocument', target: 'xl/workbook.xml' }]),
    'xl/workbook.xml': xml(
      `<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets>${numbered
        .map(({ name, at }) => `<sheet name="${name}" sheetId="${at}" r:id="rId${at}"/>`)
        .join('')}</sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': relations(
      numbered.map(({ at }) => ({ id: `rId${at}`, type: 'worksheet', target: `worksheets/sheet${at}.xml` })),
    ),
  };
  for (const { name, at } of numbered) {
    const rows = (sheets[name] ?? []).map(
      (cells, row) => `<row r="${row + 1}">${cells.map(cellAt(row)).join('')}</row>`,
    );
    files[`xl/worksheets/sheet${at}.xml`] = xml(
      `<worksheet xmlns="${SPREADSHEET}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
    );
  }
  return zipOf(files);
}

const MAIN = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`;

const relations = (all: readonly { id: string; type: string; target: string }[]): string =>
  xml(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${all
      .map(({ id, type, target }) => `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`)
      .join('')}</Relationships>`,
  );

const cellAt =
  (row: number) =>
  (value: Cell, column: number): string => {
    const address = `${String.fromCharCode(65 + column)}${row + 1}`;
    if (value === null) return '';
    if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
    const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    return `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`;
  };
