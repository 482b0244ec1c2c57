/** JSON of answers that verbs hand out again and again as the same object; nobody changes an answer once it is given. */
const known = new WeakMap<object, string>();

/** `JSON.stringify`, once for each object. */
export function serialised(answer: object): string {
  const found = known.get(answer);
  if (found !== undefined) return found;
  const json = JSON.stringify(answer);
  known.set(answer, json);
  return json;
}
