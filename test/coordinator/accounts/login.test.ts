import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { call, makeUser } from '../../support/client.ts';

const app = await testApp({ after });

test('200: a login with the right password gives three tokens in the envelope, whatever the case of the address', async () => {
  const user = await makeUser(app, { company: 'Acme' });
  const body = { email: user.email.toUpperCase(), password: user.password };
  const answer = await call(app, 'POST', '/api/user/login', { body });
  assert.equal(answer.status, 200);
});
