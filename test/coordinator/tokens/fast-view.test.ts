import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUser } from '../../support/client.ts';
import { everyDay, ofLastDay } from './seeded-days.ts';
import { tokenApp } from './token-app.ts';

test('over a socket book/preview answers the same with and without parameters, and refuses in detail', async (t) => {
  // A debug log would take every request the ordinary way.
  const tokens = await tokenApp(t, { logLevel: 'info' });
  await tokens.seed([...everyDay, ...ofLastDay]);
  const { authorization } = await makeUser(tokens, { tier: 'enterprise' });
  const { url } = await tokens.listen();
  const post = async (path: string, body: unknown): Promise<{ status: number; body: Record<string, unknown> }> => {
    const headers = { ...authorization, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/token-price/${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const filter = [{ developer: 'openlab' }, { source_id: 'fire' }];
  const plain = await post('book/preview', { filter });
  const asked = await post(`book/preview?filter=${encodeURIComponent(JSON.stringify(filter))}`, {});
  assert.deepEqual([plain.status, asked.status], [200, 200]);
  assert.equal(Object(plain.body['data']).total, 12);
  assert.deepEqual(asked.body['data'], plain.body['data']);
  assert.equal(Object(plain.body['meta']).url, '/api/token-price/book/preview');
  for (const path of ['book/preview', 'pulse/preview', 'pulse/trend']) {
    const refused = await post(path, { filter: [{ price: 1 }] });
    assert.deepEqual([refused.status, Object.keys(refused.body)], [422, ['detail']], path);
  }
});
