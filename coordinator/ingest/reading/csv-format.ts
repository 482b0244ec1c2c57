import { FormatError, type SourceFile } from '../connector.ts';
import type { Looks } from './column-check.ts';

/** What a CSV file must look like to be read: columns by name, in any order, others beside them. */
export interface CsvFormat<Column extends string> {
  required: readonly Column[];
  optional?: readonly Column[];
  /** of each group one at least */
  anyOf?: readonly (readonly Column[])[];
  /** what the filled cells of a column mostly are; a file with swapped columns is told by it */
  looks?: Partial<Record<Column, Looks>>;
  /** columns that change from row to row, for a format that brings millions: the rest of a row is then read once for all that share it */
  varying?: readonly Column[];
}

/** Column -> its place. A column that the file does not have is not in it. */
export type Places<Column extends string> = Partial<Record<Column, number>>;

/** @throws FormatError that names the columns missing and those that are there, or one that is there twice */
export function placesIn<Column extends string>(
  file: Pick<SourceFile, 'name'>,
  header: readonly string[],
  format: CsvFormat<Column>,
): Places<Column> {
  const names = header.map((name) => name.trim());
  const missing: string[] = format.required.filter((column) => !names.includes(column));
  for (const group of format.anyOf ?? []) {
    if (!group.some((column) => names.includes(column))) missing.push(group.join(' or '));
  }
  if (missing.length > 0) {
    const sentence = `is not of this format: it has no column ${missing.join(', ')}`;
    throw new FormatError(file, null, `${sentence}; its columns are ${shown(names)}`, sentence);
  }
  const places: Places<Column> = {};
  for (const column of [...format.required, ...(format.optional ?? []), ...(format.anyOf ?? []).flat()]) {
    const at = names.indexOf(column);
    if (at < 0) continue;
    if (names.includes(column, at + 1)) throw new FormatError(file, null, `has the column ${column} twice`);
    places[column] = at;
  }
  return places;
}

/** A file of another format may have its whole content in the first line. */
const shown = (names: readonly string[]): string => {
  const text = names.join(', ');
  return text.length > 400 ? `${text.slice(0, 400)}...` : text;
};
