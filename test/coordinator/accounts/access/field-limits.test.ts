import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { testApp } from '../../../support/app.ts';
import { call, makeUser, type Json } from '../../../support/client.ts';
import { at } from '../../jobs/node.ts';

const app = await testApp({ after }, { logLevel: 'info' });
const { port } = await app.listen();
const document = (await call(app, 'GET', '/openapi.json')).body;

type Body = Record<string, Json>;
/** Bodies that pass the schema; what they name is not there, so that nothing happens but the check of the field. */
const bodies: Record<string, Body> = {
  'POST /api/user/login': { email: 'nobody@example.com', password: 'x' },
  'POST /api/user/refresh': { refresh_token: 'x' },
  'POST /api/user/sign-out': {},
  'POST /api/user/password': { current_password: 'wrong', new_password: 'long enough for this' },
  'POST /api/user/password/forgot': { email: 'nobody@example.com' },
  'POST /api/user/password/reset': { token: 'x', password: 'long enough for this' },
  'POST /api/application/create': { name: 'n', description: 'd' },
  'POST /api/application/generate-token': { client_id: 'x', client_secret: 'x' },
  'POST /api/application/update': { id: '1', name: 'n', description: 'd' },
  'POST /api/application/info': { name: 'n' },
  'GET /api/application/info': { name: 'n' },
  'POST /api/application/list': {},
  'DELETE /api/application/delete': { name: 'n' },
  'DELETE /api/application/token': { id: '1' },
  'POST /api/application/take-over': { name: 'n' },
};

/** Over a socket, since a request made inside the process has no body with GET. The session ends with some calls. */
async function send(method: string, path: string, body: string): Promise<{ status: number; text: string }> {
  const fresh = await makeUser(app, { tier: 'enterprise', company: 'Of all callers', role: 'customer_admin' });
  return new Promise((resolve, reject) => {
    const headers = {
      ...fresh.authorization,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    request({ port, host: '127.0.0.1', method, path, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end(body);
  });
}

const served = app.app.routes.filter(({ path, takesBody }) => /^\/api\/(user|application)\//.test(path) && takesBody);
const nameOf = ({ method, path }: (typeof served)[number]) => `${method} ${path}`;
const limitsOf = (name: string): Record<string, { minLength?: number; maxLength?: number; format?: string }> => {
  const [method = '', path = ''] = name.split(' ');
  const schema = at(
    document,
    'paths',
    path,
    method.toLowerCase(),
    'requestBody',
    'content',
    'application/json',
    'schema',
  );
  return Object(at(schema, 'properties')) as Record<
    string,
    { minLength?: number; maxLength?: number; format?: string }
  >;
};
/** Whether the answer says that this field is wrong, or that the body is larger than any that is right. */
const isRefused = ({ status, text }: { status: number; text: string }, field: string): boolean =>
  status === 413 || (status === 422 && text.includes(`"${field}"`));

test('every operation on accounts that takes a body is walked below', () => {
  assert.deepEqual(Object.keys(bodies).toSorted(), served.map(nameOf).toSorted());
});

for (const [name, body] of Object.entries(bodies)) {
  test(`${name}: each text at its limits`, async () => {
    const [method = '', path = ''] = name.split(' ');
    const limits = limitsOf(name);
    for (const field of Object.keys(body).filter((key) => limits[key]?.maxLength !== undefined)) {
      const { minLength: least = 0, maxLength: most = 0, format } = limits[field] ?? {};
      const refused: Json[] = ['x'.repeat(most + 1), '😀'.repeat(most + 1), 'nul \0', null, 7, [], {}];
      if (least > 0) refused.push('x'.repeat(least - 1));
      for (const value of refused) {
        const answer = await send(method, path, JSON.stringify({ ...body, [field]: value }));
        assert.ok(
          isRefused(answer, field),
          `${field} ${JSON.stringify(value).slice(0, 20)}: ${answer.status} ${answer.text}`,
        );
      }
      for (const half of ['\\ud800', '\\udfff', 'a\\udc00b']) {
        const written = JSON.stringify({ ...body, [field]: '@' }).replace('"@"', `"${half}"`);
        const answer = await send(method, path, written);
        assert.ok(isRefused(answer, field), `${field} ${half}: ${answer.status} ${answer.text}`);
      }
      if (format === 'email') continue;
      for (const value of ['x'.repeat(least), 'x'.repeat(most), '😀'.repeat(most)]) {
        const answer = await send(method, path, JSON.stringify({ ...body, [field]: value }));
        assert.ok(answer.status < 500, `${field} ${value.length}: ${answer.status} ${answer.text}`);
        assert.ok(!isRefused(answer, field) || isWeak(name, answer.text), `${field} ${value.length}: ${answer.text}`);
      }
    }
    // What the schema does not know is not an error, and an invalid body says so.
    for (const wrong of ['', '[]', '"text"', '{', '{"name": }']) {
      const answer = await send(method, path, wrong);
      assert.ok(answer.status < 500, `${wrong}: ${answer.status} ${answer.text}`);
    }
  });
}

/** Within the limits of text a new password may still be too short or too common, and a link's token none. */
const isWeak = (name: string, text: string): boolean =>
  name.includes('/password') && /password|check digits are wrong/.test(text);
