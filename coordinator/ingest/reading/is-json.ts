import type { SourceFile } from '../connector.ts';
import { peek } from './peek.ts';

/** Whether a file of a source that publishes both begins as JSON, and the file again, to be read from its start. */
export async function isJson(file: SourceFile): Promise<[json: boolean, file: SourceFile]> {
  const { head, content } = await peek(file.content, 64);
  const start = new TextDecoder().decode(head).trimStart();
  return [start.startsWith('[') || start.startsWith('{'), { ...file, content }];
}
