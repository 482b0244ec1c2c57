/** A row breaks the grammar of quotes; the message is the rest of a sentence about it. */
export class QuoteError extends Error {}

/**
 * The cells of a row with quotes in it (RFC 4180): a quoted cell may hold commas and line ends, and `""` for a quote.
 * Throws `QuoteError`; its message is `ifOpen` where the row ends inside of a quoted cell.
 */
export function quotedCells(row: string, ifOpen: string): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= row.length; at += 1) {
    const end = row[at] === '"' ? closingQuote(row, at, ifOpen) + 1 : endOfBareCell(row, at);
    cells.push(row[at] === '"' ? row.slice(at + 1, end - 1).replaceAll('""', '"') : row.slice(at, end));
    at = end;
  }
  return cells;
}

function closingQuote(row: string, opening: number, ifOpen: string): number {
  let at = row.indexOf('"', opening + 1);
  while (at >= 0 && row[at + 1] === '"') at = row.indexOf('"', at + 2);
  if (at < 0) throw new QuoteError(ifOpen);
  if (at + 1 < row.length && row[at + 1] !== ',')
    throw new QuoteError('text stands behind the closing quote of a cell');
  return at;
}

function endOfBareCell(row: string, at: number): number {
  const comma = row.indexOf(',', at);
  const end = comma < 0 ? row.length : comma;
  const quote = row.indexOf('"', at);
  if (quote >= 0 && quote < end) throw new QuoteError('a quote stands in the middle of a cell that is not quoted');
  return end;
}

/** Whether a quoted cell that is open before this line is still open behind it, and the other way round. */
export function changesQuoting(line: string): boolean {
  let odd = false;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) odd = !odd;
  return odd;
}
