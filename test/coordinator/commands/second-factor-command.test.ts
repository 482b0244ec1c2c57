import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testApp } from '../../support/app.ts';
import { auditLines } from '../../support/audit-lines.ts';
import { run } from '../../support/run-program.ts';
import { logIn, makeEnrolled } from '../accounts/second-factor/enrolled.ts';

const app = await testApp({ after });
const environment = { DATABASE_URL: app.databaseUrl, DATA_DIR: app.platform.config.dataDir };
const remove = (email: string) => run(['user', 'remove-second-factor', '--email', email], environment);

test('user remove-second-factor lets in by the password alone, the audit log has it, and says so if there is none', async () => {
  const { user } = await makeEnrolled(app, { company: 'Acme' });
  assert.equal((await logIn(app, user)).status, 401);
  const { code, stdout, stderr } = await remove(user.email.toUpperCase());
  const sentence = `${user.email} of Acme has no second factor; the sessions have ended\n`;
  assert.deepEqual([code, stdout, stderr], [0, sentence, '']);
  assert.equal((await logIn(app, user)).status, 200);
  const line = (await auditLines(app, user.email)).find(({ action }) => action === 'second_factor_removed');
  assert.deepEqual([line?.actor_kind, line?.customer_id], ['system', user.customerId]);
  const again = await remove(user.email);
  assert.deepEqual([again.code, again.stderr], [1, `${user.email} has no second factor.\n`]);
  const unknown = await remove('nobody@example.com');
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [1, 'A user with the e-mail address nobody@example.com not found\n'],
  );
});
