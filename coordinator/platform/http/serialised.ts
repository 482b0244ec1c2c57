/** JSON of answers that verbs hand out again and again as the same object; nobody changes an answer once it is given. */
const kept = new WeakMap<object, string | null>();

/** From now on the JSON of this answer is made once. For others it is not worth its place in memory. */
export const keepSerialised = (answer: object): void => void kept.set(answer, kept.get(answer) ?? null);

/** `JSON.stringify`, of an answer that is kept once. */
export function serialised(answer: object): string {
  const found = kept.get(answer);
  if (found) return found;
  const json = JSON.stringify(answer);
  if (found === null) kept.set(answer, json);
  return json;
}
