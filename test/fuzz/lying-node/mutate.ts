import type { SeededRandom } from '../../../coordinator/network/schedule/seeded-random.ts';

type Part = Record<string, unknown> | unknown[];

/** What stands in a field where something else was expected. */
const wrong: unknown[] = [
  null,
  true,
  '',
  'x'.repeat(300),
  '\u0000',
  '\ud800',
  0,
  -1,
  1,
  2,
  0.5,
  2_147_483_647,
  2_147_483_648,
  1e308,
  '9223372036854775807',
  '99999999999999999999',
  [],
  {},
  [[]],
  { $ne: null },
];

/** A copy with one to three fields, at any depth, replaced, removed, doubled or added. */
export function mutate(
  random: SeededRandom,
  body: Record<string, unknown>,
  ids: readonly unknown[],
): Record<string, unknown> {
  const copy = structuredClone(body);
  for (let times = 1 + random.below(3); times > 0; times -= 1) {
    const [part, key] = fieldOf(random, copy);
    const values = random.below(2) === 0 ? ids : wrong;
    const value = structuredClone(values[random.below(values.length)]);
    const how = random.below(8);
    if (how === 0) Reflect.deleteProperty(part, key);
    else if (how === 1) Reflect.set(part, key, [Reflect.get(part, key), Reflect.get(part, key)]);
    else if (how === 2) Reflect.set(part, 'unexpected', value);
    else Reflect.set(part, key, value);
  }
  return copy;
}

/** Some field, the top ones as likely as all below them together. */
function fieldOf(random: SeededRandom, body: Record<string, unknown>): [Part, string] {
  let part: Part = body;
  for (;;) {
    const keys = Object.keys(part);
    const key = keys[random.below(Math.max(1, keys.length))] ?? 'task_id';
    const inner: unknown = Reflect.get(part, key);
    if (typeof inner !== 'object' || inner === null || Object.keys(inner).length === 0 || random.below(2) === 0)
      return [part, key];
    part = inner as Part;
  }
}
