import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { z } from 'zod';
import { testApp } from '../../../support/app.ts';
import { call } from '../../../support/client.ts';

/**
 * The API's document against what zod itself says of each schema of the contract. The document comes from another generator,
 * which writes some things differently and has lost others, such as all literals of a list but the first.
 */

type Json = Record<string, unknown>;
interface ContractRoute {
  method: string;
  path: string;
  request?: { body?: { content: Json }; query?: z.ZodType; params?: z.ZodType; headers?: z.ZodType };
  responses: Record<string, { content?: Json }>;
}

const isRoute = (value: unknown): value is ContractRoute =>
  typeof value === 'object' && value !== null && 'x-access' in value && 'path' in value;
const folder = join(import.meta.dirname, '..', '..', '..', '..', 'coordinator', 'contract');
const modules = await Promise.all(readdirSync(folder).map((file) => import(join(folder, file)) as Promise<Json>));
// The pages of the document itself are not in it.
const routes = modules
  .flatMap((module) => Object.values(module).filter(isRoute))
  .filter(({ path }) => !path.startsWith('/docs'));

const app = await testApp({ after });
const document = (await call(app, 'GET', '/openapi.json')).body as unknown as {
  paths: Record<string, Record<string, { parameters?: Json[]; requestBody?: { content: Json }; responses: Json }>>;
  components: { schemas: Record<string, Json> };
};
const documented = ({ path, method }: ContractRoute) =>
  document.paths[path]?.[method] ?? assert.fail(`${method} ${path}`);
const schemaOf = (content: unknown): unknown =>
  (content as Record<string, { schema: unknown }> | undefined)?.['application/json']?.schema;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** One spelling for what the two write differently; references are resolved. */
function plain(schema: unknown, definitions: Record<string, Json>): unknown {
  if (Array.isArray(schema)) return schema.map((one) => plain(one, definitions));
  if (!isObject(schema)) return schema;
  const {
    $ref,
    $schema: _dialect,
    $defs: _all,
    description: _text,
    example: _example,
    default: _preset,
    ...more
  } = schema;
  if (typeof $ref === 'string') return plain({ ...definitions[$ref.split('/').at(-1) ?? ''], ...more }, definitions);
  if (typeof more['id'] === 'string') delete more['id'];
  const found: Json = {};
  for (const [name, value] of Object.entries(more))
    found[name] =
      name === 'properties'
        ? Object.fromEntries(Object.entries(value as Json).map(([key, inner]) => [key, plain(inner, definitions)]))
        : plain(value, definitions);
  return alike(found);
}

function alike(schema: Json): Json {
  const { const: only, oneOf, propertyNames, ...found } = schema;
  if ('const' in schema) found['enum'] = [only];
  if (oneOf !== undefined) found['anyOf'] = oneOf;
  if (found['maximum'] === Number.MAX_SAFE_INTEGER) delete found['maximum'];
  if (found['minimum'] === Number.MIN_SAFE_INTEGER) delete found['minimum'];
  // What the contract says of a parameter goes before the text that it is made of.
  if (found['format'] !== undefined || ['integer', 'boolean'].includes(String(found['type']))) delete found['pattern'];
  if (found['type'] !== undefined) delete found['anyOf'];
  if (isObject(propertyNames) && Array.isArray(propertyNames['enum'])) {
    const { additionalProperties: value, ...rest } = found;
    const names = propertyNames['enum'].map(String);
    return alike({ ...rest, properties: Object.fromEntries(names.map((name) => [name, value])) });
  }
  if (!Array.isArray(found['anyOf'])) return found;
  const branches = found['anyOf'].flatMap(
    (one: unknown) => (isObject(one) && Object.keys(one).join() === 'anyOf' ? one['anyOf'] : one) as Json[],
  );
  const [first, second] = branches;
  if (branches.length === 2 && first && second?.['type'] === 'null' && typeof first['type'] === 'string') {
    const { anyOf: _both, ...rest } = found;
    const values = Array.isArray(first['enum']) ? { enum: [...(first['enum'] as unknown[]), null] } : {};
    return { ...rest, ...first, type: [first['type'], 'null'], ...values };
  }
  return { ...found, anyOf: branches };
}

const byDocument = (schema: unknown): unknown => plain(schema, document.components.schemas);
/** What a request or an answer may contain: answers are sent as the verbs return them, through no transform. */
const plainOf = (schema: z.ZodType): unknown => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return plain(json, json.$defs ?? {});
};

/** Equal, with all defaults that zod states: before a transform it states none, and the document may have one. */
function assertSame(said: unknown, ours: unknown, what: string): void {
  const told = defaultsOf(said);
  for (const preset of defaultsOf(ours)) assert.ok(told.includes(preset), `${what}: ${preset}`);
  assert.deepEqual(withoutDefaults(said), withoutDefaults(ours), what);
}

function defaultsOf(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    name === 'default' ? [`${path} ${JSON.stringify(inner)}`] : defaultsOf(inner, `${path}.${name}`),
  );
}

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (!isObject(value)) return value;
  const { default: _preset, ...more } = value;
  return Object.fromEntries(Object.entries(more).map(([name, inner]) => [name, withoutDefaults(inner)]));
}

test('every body of every operation, asked and answered, is documented as its schema says', () => {
  let compared = 0;
  for (const route of routes) {
    const { requestBody, responses } = documented(route);
    const name = `${route.method} ${route.path}`;
    const body = schemaOf(route.request?.body?.content);
    if (body instanceof z.ZodType) {
      compared += 1;
      assertSame(byDocument(schemaOf(requestBody?.content)), plainOf(body), name);
    }
    for (const [status, { content }] of Object.entries(route.responses)) {
      const schema = schemaOf(content);
      if (!(schema instanceof z.ZodType)) continue;
      compared += 1;
      const said = (responses[status] as { content: unknown }).content;
      assertSame(byDocument(schemaOf(said)), plainOf(schema), `${name} ${status}`);
    }
  }
  assert.ok(routes.length > 90 && compared > 400, `${routes.length} operations, ${compared} bodies`);
});

test('every parameter is documented as its schema says, with the default that its absence means', () => {
  const flags: string[] = [];
  const presets: string[] = [];
  for (const route of routes)
    for (const [where, part] of Object.entries({ query: 'query', path: 'params', header: 'headers' } as const)) {
      const schema = route.request?.[part];
      if (!(schema instanceof z.ZodObject)) continue;
      const { required = [], properties = {} } = plainOf(schema) as { required?: string[]; properties?: Json };
      for (const [name, value] of Object.entries(schema.shape)) {
        const said = documented(route).parameters?.find((one) => one['in'] === where && one['name'] === name);
        const what = `${route.method} ${route.path} ${name}`;
        assert.equal(said?.['required'] === true, required.includes(name), what);
        assertSame(byDocument(said?.['schema']), properties[name], what);
        const absent = value.safeParse(undefined);
        const fallback = absent.success ? (absent.data ?? undefined) : undefined;
        const told = said?.['schema'] as Json;
        assert.equal(String(told['default']), String(fallback), `${what}: default`);
        if (told['type'] === 'boolean') flags.push(what);
        if (['page', 'per_page', 'num_per_page'].includes(name)) presets.push(what);
        for (const [text, meaning] of Object.entries(told['type'] === 'boolean' ? spellings : {}))
          assert.equal(value.parse(text), meaning, `${what}=${text}`);
      }
    }
  assert.equal(flags.length, 5, flags.join());
  assert.equal(presets.length, 8, presets.join());
});

/** JavaScript and curl write the first, Python’s requests the second. */
const spellings = { true: true, True: true, 1: true, false: false, False: false, 0: false };

test('each term of a price can be asked for by the document: in a body, in a filter, and as an answer', () => {
  const enums: unknown[] = [];
  const find = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(find);
    if (!isObject(value)) return;
    const { enum: values } = value;
    if (Array.isArray(values) && values.includes(-1)) enums.push(values);
    Object.values(value).forEach(find);
  };
  find(document);
  assert.ok(enums.length > 5);
  // The interface's table of price types
  for (const found of enums) assert.deepEqual(found, [-1, 0, 1, 3, 6, 12, 100, 101, 102]);
});
