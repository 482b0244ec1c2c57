import { parse } from 'csv-parse/sync';
import type { z } from 'zod';
import { hasControl, textOfCell } from './csv.ts';
import { DomainError } from './errors.ts';

/**
 * Reads a small CSV table with a header and validates each row with a schema. Throws one sentence that names the file, row and
 * column of the first error: the table is rejected as a whole. Apostrophes that an export inserted before formulas are removed.
 */
export function readTable<T extends z.ZodType>(name: string, content: string, row: T): z.output<T>[] {
  let records: Record<string, string>[];
  try {
    records = parse(content, { columns: true, bom: true, skip_empty_lines: true, trim: true });
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
  return records.map((record, at) => {
    const cells = Object.entries(record);
    const odd = cells.find(([, cell]) => hasControl(cell));
    if (odd) throw new Error(`${name}, row ${at + 1}, ${odd[0]}: holds a line break or another control character`);
    const parsed = row.safeParse(Object.fromEntries(cells.map(([column, cell]) => [column, textOfCell(cell)])));
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new Error(`${name}, row ${at + 1}, ${issue?.path.join('.') || 'row'}: ${issue?.message}`);
  });
}

/** Throws if two rows have the same value in one of these columns. */
export function requireOnce<T>(name: string, rows: readonly T[], columns: readonly (keyof T & string)[]): void {
  for (const column of columns) {
    const seen = new Set<unknown>();
    for (const row of rows) {
      if (seen.has(row[column]))
        throw new DomainError('validation', `${name}: ${column} ${String(row[column])} appears twice.`);
      seen.add(row[column]);
    }
  }
}
