import type { SourceFile } from '../connector.ts';
import { parsedJson } from './read-json.ts';
import { textLines } from './text-lines.ts';

/** One JSON value a line, empty lines left out; `row` is the number of the line. @throws FormatError with the line */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<{ row: number; value: unknown }, void> {
  let row = 0;
  for await (const line of textLines(file, 'JSON Lines')) {
    row += 1;
    if (line.trim() !== '') yield { row, value: parsedJson(file, row, line) };
  }
}
