import type { SourceFile } from '../connector.ts';
import type { SourceRecord } from '../listing.ts';
import { parsedJson } from './read-json.ts';
import { textLines } from './text-lines.ts';

/** One JSON value a line, empty lines left out; `number` is that of the line. @throws FormatError with the line */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<SourceRecord & { value: unknown }, void> {
  let number = 0;
  for await (const line of textLines(file, 'JSON Lines')) {
    number += 1;
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (text.trim() !== '') yield { number, text, value: parsedJson(file, number, text) };
  }
}
