import { begun } from '../begun.ts';

/** JSON that is already text, such as a jsonb column as Postgres wrote it; it is copied into an answer unchanged. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** `JSON.stringify` of a value that contains `RawJson`, whose text is neither parsed nor serialised again. */
export function writeJson(value: unknown): string {
  const texts: string[] = [];
  const json = JSON.stringify(value, (_name, member: unknown) =>
    member instanceof RawJson ? `\0raw ${texts.push(member.text) - 1}` : member,
  );
  return texts.length === 0 ? json : json.replaceAll(place, (_all, number: string) => texts[Number(number)] ?? 'null');
}

/** No text from outside contains a NUL, so none can look like this placeholder. */
const place = /"\\u0000raw (\d+)"/g;

/**
 * Streams text in pieces, each produced when the previous one has been sent: a slow reader keeps one piece in memory, not a
 * whole answer. The first piece is produced before the head is sent, so that its failure becomes an error answer.
 */
export async function textStream(
  pieces: AsyncGenerator<string, void>,
  headers: Record<string, string>,
): Promise<Response> {
  return new Response(await begun(encoded(pieces)), { headers });
}

async function* encoded(pieces: AsyncGenerator<string, void>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder();
  for await (const piece of pieces) yield encoder.encode(piece);
}

export const jsonStream = (pieces: AsyncGenerator<string, void>): Promise<Response> =>
  textStream(pieces, { 'Content-Type': 'application/json' });
