import type { Random } from './random.ts';

/** The part of a JSON schema of the OpenAPI document that bodies are drawn from. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  $ref?: string;
}

/** Texts that have broken parsers, databases and logs. */
const TEXTS = [
  '',
  ' ',
  'x',
  '../../etc/passwd',
  "'; drop table jobs; --",
  '=cmd|calc',
  '@SUM(1)',
  '%00',
  '%ff%fe',
  '\\u0000',
  String.raw`\ud83d`,
  String.raw`\udc00\ud83d`,
  String.raw`\ud83d\ude00`,
  'ünïcödé',
  '‮',
  '$1',
  '{{x}}',
  'NaN',
  'null',
  '1847032911563124737',
  '-1',
  '1e999',
  '0001-01-01',
  '9999-12-31',
  '2026-02-30',
  '2026-11-23T00:00:00Z',
  'a\\nb\\tc',
];
const NUMBERS = [
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e308',
  '1e999',
  '-1e999',
  '1e-400',
  '2147483647',
  '2147483648',
  '4294967296',
  '9007199254740991',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1847032911563124737',
  '123456789012345678901234567890',
  '0.1234567890123456789',
];
const NAMES = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  '',
  'a',
  String.raw`\u005f_proto__`,
  'hasOwnProperty',
  '$where',
];
const MOST_DEPTH = 6;

/** JSON text after the schema, with here and there something that does not belong. `known`: ids that exist, by field name. */
export function drawJson(
  random: Random,
  schema: Schema,
  all: Record<string, Schema>,
  known: Record<string, string>,
): string {
  return draw(schema, 0);

  function draw(given: Schema, depth: number, name = ''): string {
    if (random.chance(0.06)) return wild(random, depth);
    const value = known[name];
    if (value !== undefined && random.chance(0.7)) return value;
    const found = resolved(given);
    if (found.const !== undefined) return JSON.stringify(found.const);
    if (found.enum && random.chance(0.9)) return JSON.stringify(random.of(found.enum));
    const options = found.anyOf ?? found.oneOf;
    if (options && options.length > 0) return draw(random.of(options), depth, name);
    if (depth > MOST_DEPTH) return 'null';
    const type = Array.isArray(found.type) ? random.of(found.type) : found.type;
    if (type === 'object' || found.properties) return object(found, depth);
    if (type === 'array') return `[${times(random, 4, () => draw(found.items ?? {}, depth + 1))}]`;
    return scalar(type);
  }

  function object({ properties = {} }: Schema, depth: number): string {
    const fields = Object.entries(properties)
      .filter(() => random.chance(0.85))
      .map(([name, schema]) => `${JSON.stringify(name)}:${draw(schema, depth + 1, name)}`);
    const [first] = fields;
    if (random.chance(0.05) && first !== undefined) fields.push(first);
    if (random.chance(0.08)) fields.push(`"${random.of(NAMES)}":${wild(random, depth + 1)}`);
    return `{${fields.join(',')}}`;
  }

  function scalar(type: string | undefined): string {
    if (type === 'integer' || type === 'number')
      return random.chance(0.5) ? String(random.below(100)) : random.of(NUMBERS);
    if (type === 'boolean') return random.of(['true', 'false']);
    if (type === 'null') return 'null';
    return `"${random.of(TEXTS)}"`;
  }

  function resolved(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1);
    return name === undefined ? schema : (all[name] ?? {});
  }
}

const times = (random: Random, most: number, make: () => string): string =>
  Array.from({ length: random.below(most + 1) }, make).join(',');

/** Anything: of any type, size and depth. */
function wild(random: Random, depth: number): string {
  const kind = random.below(11);
  if (kind === 0) return `[${times(random, depth > 3 ? 2 : 40, () => wild(random, depth + 2))}]`;
  if (kind === 1) return `{${times(random, 6, () => `"${random.of(NAMES)}":${wild(random, depth + 2)}`)}}`;
  if (kind === 2) return '['.repeat(random.below(200)) + ']'.repeat(random.below(200));
  if (kind === 3) return `"${'x'.repeat(random.below(random.chance(0.02) ? 300_000 : 600))}"`;
  if (kind === 4)
    return `[${Array.from({ length: random.below(random.chance(0.02) ? 80_000 : 80) }, () => '1').join(',')}]`;
  if (kind < 7) return random.of(NUMBERS);
  if (kind < 9) return `"${random.of(TEXTS)}"`;
  return random.of(['null', 'true', 'false', '{}', '[]', 'undefined', "'x'", '']);
}

export const drawText = (random: Random): string => random.of(TEXTS);
