interface Kept {
  json: Buffer;
  /** within `before` and the last brace, as it was sent last: a popular answer goes out many times in a second */
  sent: { before: string; whole: Buffer } | null;
}

/** Answers that verbs hand out again and again as the same object; nobody changes an answer once it is given. */
const kept = new WeakMap<object, Kept | null>();

/** From now on the JSON of this answer is made once. For others it is not worth its place in memory. */
export const keepSerialised = (answer: object): void => void kept.set(answer, kept.get(answer) ?? null);

/**
 * `JSON.stringify`, within `before` and a closing brace if there is a `before`. Bytes of an answer that is kept, and a text of
 * any other, which node sends in one piece with the head.
 */
export function serialised(answer: object, before = ''): string | Buffer {
  const known = kept.get(answer);
  if (known === undefined) return before === '' ? JSON.stringify(answer) : `${before}${JSON.stringify(answer)}}`;
  const found = known ?? { json: Buffer.from(JSON.stringify(answer)), sent: null };
  if (known === null) kept.set(answer, found);
  if (before === '') return found.json;
  if (found.sent?.before !== before)
    found.sent = { before, whole: Buffer.concat([Buffer.from(before), found.json, CLOSE]) };
  return found.sent.whole;
}

const CLOSE = Buffer.from('}');
