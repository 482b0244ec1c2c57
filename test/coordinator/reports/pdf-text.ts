import { inflateSync } from 'node:zlib';

/** The text of each page of a PDF made by pdfkit: hex strings of the content streams through each font's ToUnicode map. */
export const pdfPages = (pdf: Buffer): string[] =>
  contentsOf(pdf).map(({ content, fonts }) => readText(content, fonts));

/** Stands where a text was broken into lines. */
export const BREAK = '\u0001';

/**
 * The texts of each page as they were before they were broken into lines, with a sign at each break: lines that follow each other at
 * the distance of lines are one text.
 */
export function pdfTexts(pdf: Buffer): string[][] {
  return contentsOf(pdf).map(({ content, fonts }) => {
    const texts: string[] = [];
    let last = { y: 0, size: 0 };
    const lines = content.matchAll(
      /1 0 0 1 [\d.-]+ ([\d.-]+) Tm\s+\/F\d+ ([\d.]+) Tf[^[<]*(?:\[.*?\] TJ|<[0-9a-f]*> Tj)/g,
    );
    for (const [shown, y = '', size = ''] of lines) {
      const line = { y: Number(y), size: Number(size), text: readText(shown, fonts).trim() };
      const isNext = line.size === last.size && Math.abs(last.y - line.y - line.size * LEADING) < 0.05;
      if (isNext) texts.push(`${texts.pop() ?? ''}${BREAK}${line.text}`);
      else texts.push(line.text);
      last = line;
    }
    return texts;
  });
}

/** Of the report's texts, baseline to baseline, as a multiple of the font size. */
const LEADING = 1.32;

interface Content {
  content: string;
  fonts: Map<string, Map<number, string>>;
}

function contentsOf(pdf: Buffer): Content[] {
  const objects = readObjects(pdf);
  const fonts = new Map<string, Map<number, string>>();
  for (const { dictionary } of objects.values()) {
    for (const [, name = '', id = ''] of dictionary.matchAll(/\/(F\d+) (\d+) 0 R/g)) {
      const cmap = /\/ToUnicode (\d+) 0 R/.exec(objects.get(id)?.dictionary ?? '')?.[1] ?? '';
      fonts.set(name, readCmap(objects.get(cmap)?.stream ?? ''));
    }
  }
  const kids = [...objects.values()].find(({ dictionary }) => /\/Type \/Pages/.test(dictionary))?.dictionary ?? '';
  const pages = [...(/\/Kids \[(.*?)\]/s.exec(kids)?.[1] ?? '').matchAll(/(\d+) 0 R/g)];
  return pages.map(([, page = '']) => {
    const contents = /\/Contents (\d+) 0 R/.exec(objects.get(page)?.dictionary ?? '')?.[1] ?? '';
    return { content: objects.get(contents)?.stream ?? '', fonts };
  });
}

/** All pages as one line, spaces collapsed. */
export const pdfText = (pdf: Buffer): string => pdfPages(pdf).join(' ').replaceAll(/\s+/g, ' ');

interface PdfObject {
  dictionary: string;
  stream: string;
}

function readObjects(pdf: Buffer): Map<string, PdfObject> {
  const latin = pdf.toString('latin1');
  const objects = new Map<string, PdfObject>();
  for (const match of latin.matchAll(/(?:^|\n)(\d+) 0 obj\n/g)) {
    const start = match.index + match[0].length;
    const length = latin.indexOf('endobj', start);
    const [dictionary, raw] = splitStream(latin.slice(start, length));
    const packed = /\/FlateDecode/.test(dictionary) && raw !== '';
    objects.set(match[1] ?? '', { dictionary, stream: packed ? inflate(raw) : raw });
  }
  return objects;
}

function splitStream(body: string): [string, string] {
  const at = body.indexOf('stream\n');
  return at < 0 ? [body, ''] : [body.slice(0, at), body.slice(at + 'stream\n'.length)];
}

function inflate(raw: string): string {
  try {
    return inflateSync(Buffer.from(raw, 'latin1')).toString('latin1');
  } catch {
    return ''; // a font program cut at a chance "endobj"; it holds no text
  }
}

/** bfrange lines of the form `<0000> <00ff> [<0041> <0042> ...]`. */
function readCmap(cmap: string): Map<number, string> {
  const glyphs = new Map<number, string>();
  for (const [, first = '', , list = ''] of cmap.matchAll(/<([0-9a-f]+)> <([0-9a-f]+)> \[(.*?)\]/gs)) {
    [...list.matchAll(/<([0-9a-f ]*)>/g)].forEach(([, code = ''], offset) => {
      const units = code.replaceAll(' ', '').match(/.{4}/g) ?? [];
      glyphs.set(parseInt(first, 16) + offset, String.fromCharCode(...units.map((unit) => parseInt(unit, 16))));
    });
  }
  return glyphs;
}

/** pdfkit shows words at once (TJ), svg-to-pdfkit each glyph of a chart's text by itself (Tj) up to its end (ET). */
function readText(content: string, fonts: Map<string, Map<number, string>>): string {
  let font = new Map<number, string>();
  let text = '';
  for (const [, name, shown] of content.matchAll(/\/(F\d+) [\d.]+ Tf|(\[.*?\] TJ|<[0-9a-f]*> Tj)|\nET\b/g)) {
    if (name !== undefined) font = fonts.get(name) ?? font;
    for (const [, hex = ''] of (shown ?? '').matchAll(/<([0-9a-f]*)>/g))
      for (const glyph of hex.match(/.{4}/g) ?? []) text += font.get(parseInt(glyph, 16)) ?? '?';
    if (name === undefined && shown?.endsWith('Tj') !== true) text += '\n';
  }
  return text;
}
