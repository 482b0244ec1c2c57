import PdfKit from 'pdfkit';
import { fitText } from './fit-text.ts';
import { fontFiles, readGlyphs, type FontName, type Glyphs } from './fonts.ts';
import { contentWidth, ink, leading, sheet, size } from './theme.ts';

export interface TextStyle {
  size?: number;
  font?: FontName;
  color?: string;
  align?: 'left' | 'right' | 'center';
  /** lines before the ellipsis */
  maxLines?: number;
}

interface Meta {
  title: string;
  subject: string;
  /** the creation date: taken from the data, so that equal data gives equal bytes */
  createdAt: Date;
  pageLimit: number;
}

/** The pages of one report and the position where drawing continues. Everything is drawn through it. */
export class Paper {
  readonly doc: PDFKit.PDFDocument;
  readonly glyphs: Glyphs;
  pageLimit: number;
  y: number = sheet.top;
  pages = 0;
  /** Titles of the sections that did not fit within the page limit. */
  readonly omitted: string[] = [];
  /** The page, from 1, on which each section begins. */
  readonly starts = new Map<string, number>();

  constructor(meta: Meta) {
    this.glyphs = readGlyphs();
    this.pageLimit = meta.pageLimit;
    this.doc = new PdfKit({
      size: 'A4',
      margin: 0,
      bufferPages: true,
      autoFirstPage: false,
      font: '', // no standard font: its metrics file would be loaded needlessly
      lang: 'en',
      displayTitle: true,
      info: {
        Title: meta.title.toWellFormed(),
        Subject: meta.subject.toWellFormed(),
        Creator: 'gpumark',
        Producer: 'gpumark',
        CreationDate: meta.createdAt,
      },
    });
    for (const [name, path] of Object.entries(fontFiles)) this.doc.registerFont(name, path);
    this.newPage();
  }

  /** False if the limit is reached: nothing more may be drawn then. */
  newPage(): boolean {
    if (this.pages >= this.pageLimit) return false;
    this.doc.addPage();
    this.pages += 1;
    this.y = sheet.top;
    return true;
  }

  /** Makes sure that `height` points are free below, on a new page if need be. False if the page limit forbids it. */
  reserve(height: number): boolean {
    return this.y + height <= sheet.bottom || this.newPage();
  }

  private readonly last: (() => void)[] = [];
  /** Draws on the present page once all pages are there: what names another page. */
  atEnd(draw: () => void): void {
    const page = this.pages - 1;
    this.last.push(() => {
      this.doc.switchToPage(page);
      draw();
    });
  }

  finish(): void {
    for (const draw of this.last) draw();
  }

  /** What follows begins on a new page; if nothing follows, no empty page is added. */
  endPage(): void {
    this.y = sheet.bottom;
  }

  /** Room for sections that must not be lost to long ones before them. */
  extend(pages: number): void {
    this.pageLimit = this.pages + pages;
    this.endPage();
  }

  /** Breaks a text for `width` points; characters the font lacks are replaced. */
  lines(text: string, width: number, style: TextStyle = {}): string[] {
    const printable = this.glyphs.printable(text.replaceAll(/[^\S\u00A0]+/g, ' ').trim());
    this.use(style);
    return fitText(printable, width, style.maxLines ?? 60, (part) => this.doc.widthOfString(part));
  }

  /** Draws lines with their top at (x, y) and returns their height. The page's cursor stays where it is. */
  draw(lines: string[], x: number, y: number, width: number, style: TextStyle = {}): number {
    const step = this.lineHeight(style);
    lines.forEach((line, index) => {
      this.use(style);
      const free = width - this.doc.widthOfString(line);
      const shift = style.align === 'right' ? free : style.align === 'center' ? free / 2 : 0;
      this.doc.fillColor(style.color ?? ink.text).text(line, x + shift, y + index * step, { lineBreak: false });
    });
    return lines.length * step;
  }

  /** Breaks and draws in one go. */
  write(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    return this.draw(this.lines(text, width, style), x, y, width, style);
  }

  lineHeight(style: TextStyle = {}): number {
    return (style.size ?? size.body) * leading;
  }

  /** Width of one printable line in points. */
  widthOf(text: string, style: TextStyle = {}): number {
    this.use(style);
    return this.doc.widthOfString(this.glyphs.printable(text));
  }

  rule(y: number, color: string = ink.rule): void {
    this.doc
      .moveTo(sheet.left, y)
      .lineTo(sheet.left + contentWidth, y)
      .lineWidth(0.5)
      .strokeColor(color)
      .stroke();
  }

  private use(style: TextStyle): void {
    this.doc.font(style.font ?? 'regular').fontSize(style.size ?? size.body);
  }
}
