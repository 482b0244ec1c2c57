import type { Paper, TextStyle } from './paper.ts';
import { contentWidth, ink, sheet, size } from './theme.ts';

/**
 * A section's heading. It moves to the next page together with the first `keep` points of what follows, so that no
 * heading stands alone at the bottom of a page. False if the page limit leaves no room: the section is then left out.
 */
export function heading(paper: Paper, title: string, keep = 60): boolean {
  const gap = paper.y > sheet.top ? 16 : 0;
  if (!paper.reserve(gap + 20 + keep)) {
    paper.omitted.push(title);
    return false;
  }
  if (paper.y > sheet.top) paper.y += gap;
  paper.doc.outline.addItem(title.toWellFormed());
  paper.starts.set(title, paper.pages);
  paper.write(title, sheet.left, paper.y, contentWidth, { size: size.heading, font: 'bold', maxLines: 1 });
  paper.y += size.heading * 1.3 + 3;
  paper.rule(paper.y);
  paper.y += 6;
  return true;
}

/** Text over the full width; a paragraph is never split over two pages. */
export function paragraph(paper: Paper, text: string, style: TextStyle = {}): void {
  const lines = paper.lines(text, contentWidth, style);
  const height = lines.length * paper.lineHeight(style);
  if (!paper.reserve(height)) return;
  paper.draw(lines, sheet.left, paper.y, contentWidth, style);
  paper.y += height + 4;
}

/** A remark below a table or chart. */
export const note = (paper: Paper, text: string): void =>
  paragraph(paper, text, { size: size.small, color: ink.muted });

/** Two columns of label and value. A null value is left out. */
export function keyValues(paper: Paper, pairs: [label: string, value: string | null][]): void {
  const shown = pairs.filter((pair): pair is [string, string] => pair[1] !== null);
  const columnWidth = contentWidth / 2 - 8;
  const labelWidth = 68;
  for (let row = 0; row < shown.length; row += 2) {
    const cells = shown.slice(row, row + 2).map(([label, value]) => ({
      label: paper.lines(label, labelWidth - 6, { size: size.small, maxLines: 2 }),
      value: paper.lines(value, columnWidth - labelWidth, { maxLines: 3 }),
    }));
    const height =
      Math.max(...cells.map((cell) => Math.max(cell.value.length, cell.label.length))) * paper.lineHeight() + 2;
    if (!paper.reserve(height)) return;
    cells.forEach((cell, column) => {
      const x = sheet.left + column * (columnWidth + 16);
      paper.draw(cell.label, x, paper.y + 1, labelWidth - 6, { size: size.small, color: ink.muted });
      paper.draw(cell.value, x + labelWidth, paper.y, columnWidth - labelWidth);
    });
    paper.y += height;
  }
  paper.y += 4;
}

/** A framed statement over the full width that nobody can miss. */
export function banner(paper: Paper, text: string, color: string): void {
  const style: TextStyle = { size: 11, font: 'bold', color };
  const lines = paper.lines(text, contentWidth - 28, style);
  const height = lines.length * paper.lineHeight(style) + 14;
  if (!paper.reserve(height + 8)) return;
  paper.doc.rect(sheet.left, paper.y, contentWidth, height).lineWidth(1.4).fillAndStroke(ink.shade, color);
  paper.doc.rect(sheet.left, paper.y, 6, height).fill(color);
  paper.draw(lines, sheet.left + 18, paper.y + 7, contentWidth - 28, style);
  paper.y += height + 8;
}
