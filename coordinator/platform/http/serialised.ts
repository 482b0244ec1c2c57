/** JSON of answers that verbs hand out again and again as the same object; nobody changes an answer once it is given. */
const known = new WeakMap<object, Buffer>();

/** `JSON.stringify` in UTF-8, once for each object. */
export function serialised(answer: object): Buffer {
  const found = known.get(answer);
  if (found !== undefined) return found;
  const json = Buffer.from(JSON.stringify(answer));
  known.set(answer, json);
  return json;
}
