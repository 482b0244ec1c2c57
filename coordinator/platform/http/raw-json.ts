import { begun } from '../begun.ts';

/** JSON that is text already, such as a jsonb column as Postgres wrote it; it goes into an answer as it is. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `JSON.stringify` of a value that holds `RawJson`: neither parsed nor written again. */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  const json = JSON.stringify(value, (_name, member: unknown) =>
    member instanceof RawJson ? `\0raw ${texts.push(member.text) - 1}` : member,
  );
  return texts.length === 0 ? json : json.replaceAll(place, (_all, number: string) => texts[Number(number)] ?? 'null');
}

/** No text from outside holds a NUL, so none can look like it. */
const place = /"\\u0000raw (\d+)"/g;

/**
 * An answer of text in pieces, each made when the one before has gone out: a reader who is slow or many of them hold a
 * piece each, not an answer. The first one is made before the head, so that what fails there is a failure on the wire.
 */
export async function textStream(
  pieces: AsyncGenerator<string, void>,
  headers: Record<string, string>,
): Promise<Response> {
  return new Response(ReadableStream.from(encoded(await begun(pieces))), { headers });
}

async function* encoded(pieces: AsyncGenerator<string, void>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

export const jsonStream = (pieces: AsyncGenerator<string, void>): Promise<Response> =>
  textStream(pieces, { 'Content-Type': 'application/json' });
