import { inflateSync } from 'node:zlib';

/** The text of each page of a PDF made by pdfkit: hex strings of the content streams through each font's ToUnicode map. */
export function pdfPages(pdf: Buffer): string[] {
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
    return readText(objects.get(contents)?.stream ?? '', fonts);
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
