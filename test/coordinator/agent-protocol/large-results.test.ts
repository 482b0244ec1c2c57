import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { uploadThreads } from '../../../coordinator/platform/http/upload-threads.ts';
import { testApp } from '../../support/app.ts';
import { makeUser } from '../../support/client.ts';
import { makeJob, Node, textAt } from '../jobs/node.ts';
import { upload } from '../jobs/upload.ts';

const app = await testApp({ after });
const user = await makeUser(app, { role: 'customer_admin', tier: 'enterprise' });

async function node(): Promise<Node> {
  const made = new Node(app, await makeJob(app, user));
  await made.register();
  await made.beat();
  return made;
}

test('a result above the size that is read at once is checked by a thread and kept like any other', async () => {
  const one = await node();
  const payload = upload(
    one.machineUuid,
    Array.from({ length: 10 }, () => ({})),
  );
  for (const device of payload.benchmark_results.quick_mark.test_results)
    device.details = { samples: Array.from({ length: 1000 }, (_, place) => ({ place, id: '1847032911563124737' })) };
  const result = one.result(payload);
  assert.ok(JSON.stringify(result).length > 300_000);
  const answer = await one.results(result);
  assert.equal(answer.status, 200, answer.text);
  assert.equal((await one.results({ ...result, result_key: '0'.repeat(64) })).status, 400);
  assert.equal((answer.body as { duplicate: boolean }).duplicate, false);
  assert.equal(((await one.results(result)).body as { duplicate: boolean }).duplicate, true);
});

test('400: 60,000 wrong entries are refused with the first few named, wherever they are', async () => {
  const one = await node();
  for (const body of [
    { warnings: Array.from({ length: 60_000 }, () => 1) },
    { payload: { benchmark_results: { quick_mark: { test_results: Array.from({ length: 60_000 }, () => ({})) } } } },
    { warnings: Array.from({ length: 700_000 }, () => 1) },
  ]) {
    const answer = await one.post('/api/gpu-mark/v1/agent/results', body);
    assert.equal(answer.status, 400, answer.text.slice(0, 300));
    assert.ok(textAt(answer.body, 'error', 'message').length < 4000);
  }
});

test('many large bodies of one customer hold up no other: customers take turns at the thread', async () => {
  const check = uploadThreads(1);
  const checked: string[] = [];
  const task = {
    key: 'POST /api/gpu-mark/test-task/register',
    bytes: Buffer.from('{"machine_uuid":"m"}'),
    limit: 1 << 20,
  };
  const send = (holder: string) => check(holder, task).then(() => checked.push(holder));
  await Promise.all([...Array.from({ length: 12 }, () => send('one')), send('another')]);
  // The first is under way when the others come, and the second was there before the other customer's.
  assert.deepEqual(checked, ['one', 'one', 'another', ...Array<string>(10).fill('one')]);
});
