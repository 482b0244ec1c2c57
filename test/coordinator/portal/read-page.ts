import type { Browser } from './browser-session.ts';

export interface Read {
  status: number;
  text: string;
  headers: Headers;
}

/** Reads a whole page; of a stream, the beginning up to the first event, which contains the current page, unescaped. */
export async function readPage(it: Browser, path: string, headers: Record<string, string> = {}): Promise<Read> {
  const answer = await it.get(path, headers);
  const found = { status: answer.status, headers: answer.headers };
  if (answer.headers.get('content-type') !== 'text/event-stream') return { ...found, text: await answer.text() };
  let text = '';
  const decoder = new TextDecoder();
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece, { stream: true });
    if (/^event: .*\ndata: .*\n\n/m.test(text)) break;
  }
  return { ...found, text: text.replaceAll(String.raw`\"`, '"') };
}
