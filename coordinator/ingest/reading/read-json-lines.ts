import { FormatError, type SourceFile } from '../connector.ts';
import { parsedJson } from './read-json.ts';

/** Characters of one line. */
const LINE_LENGTH = 64 * 1024 ** 2;

/** One JSON value a line, empty lines left out; `row` is the number of the line. @throws FormatError with the line */
export async function* readJsonLines(file: SourceFile): AsyncGenerator<{ row: number; value: unknown }, void> {
  let row = 0;
  for await (const line of lines(file)) {
    row += 1;
    if (line.trim() !== '') yield { row, value: parsedJson(file, row, line) };
  }
}

async function* lines(file: SourceFile): AsyncGenerator<string, void> {
  const decoder = new TextDecoder('utf-8');
  let held = '';
  for await (const chunk of file.content) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    held += first;
    for (const next of others) {
      yield held;
      held = next;
    }
    if (held.length > LINE_LENGTH) throw new FormatError(file, null, 'has a line of more than 64 MiB: no JSON Lines');
  }
  held += decoder.decode();
  if (held !== '') yield held;
}
