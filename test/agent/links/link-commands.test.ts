import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { LinkCommands } from '../../../agent/links/link-commands.ts';
import type { SlotWords } from '../../../agent/links/link-commands.ts';
import { CoordinatorClock } from '../../../agent/links/link-clock.ts';
import type { LinkScript } from '../support/fake-link.ts';
import { fakeRunner } from '../support/fake-runner.ts';
import { testHost } from '../support/test-host.ts';

const KEY = '0f'.repeat(32);

function started(t: TestContext, link: LinkScript = {}) {
  const host = testHost(t);
  const path = fakeRunner(host.folder, { link });
  const clock = new CoordinatorClock(host.clock);
  const now = host.clock.monotonic();
  clock.note({ sent_ms: now, received_ms: now, coordinator_ms: 1_700_000_000_000 });
  const pids: number[] = [];
  const commands = new LinkCommands(
    { path, allow_public: false, on_start: (pid) => pids.push(pid) },
    clock,
    () => undefined,
  );
  t.after(() => commands.close());
  return { host, clock, commands, pids };
}

const slot = (id: string, start: number): SlotWords => ({
  id,
  key: KEY,
  role: 'dial',
  local: null,
  peer: '10.9.8.9:4711',
  start,
  length: 50,
  streams: 1,
  ping_pause: 0,
  cap: 0,
});

test('concurrent commands each get their own answer', async (t) => {
  const { host, commands } = started(t);
  assert.equal((await commands.ready())?.congestion_control, 'cubic');
  const now = host.clock.monotonic();
  const [a, b, port, dialled] = await Promise.all([
    commands.measure(slot('1.1', now + 60)),
    commands.measure(slot('1.2', now)),
    commands.listen('10.0.0.1', '0'),
    commands.dial('p.0.1', KEY, ['10.9.8.9:4711'], now, 100),
  ]);
  assert.deepEqual([a?.id, b?.id, port, dialled?.status], ['1.1', '1.2', { port: 20_000 }, 'ok']);
});

test('if the process dies every command resolves with null, later ones too, and its end is reported', async (t) => {
  const { host, commands, pids } = started(t);
  await commands.ready();
  const waiting = commands.measure(slot('1.1', host.clock.monotonic() + 60_000));
  process.kill(pids[0] ?? 0, 'SIGKILL');
  assert.equal(await waiting, null);
  assert.match((await commands.ended)?.message ?? '', /link ended by SIGKILL/);
  assert.equal(await commands.measure(slot('1.2', 0)), null);
  assert.deepEqual(await commands.listen('10.0.0.1', '0'), { code: 'RUNNER_ENDED' });
});

test('closing ends the process within its second, and that is not a death', async (t) => {
  const { commands, pids } = started(t);
  await commands.ready();
  await commands.close();
  assert.equal(await commands.ended, null);
  assert.throws(() => process.kill(pids[0] ?? 0, 0), { code: 'ESRCH' });
});

test('a missing runner is reported, not waited for', async (t) => {
  const { clock } = started(t);
  const commands = new LinkCommands(
    { path: '/nonexistent/gpumark-runner', allow_public: false, on_start: () => undefined },
    clock,
    () => undefined,
  );
  assert.equal(await commands.ready(), null);
  assert.match((await commands.ended)?.message ?? '', /nonexistent/);
});

test('a channel carries messages in order, gives up at its deadline, and ends when the other end hangs up', async (t) => {
  const { host, clock, commands } = started(t);
  await commands.ready();
  const { opened, channel } = await commands.openChannel(slot('2.1', host.clock.monotonic()));
  assert.equal(opened?.status, 'ok');
  assert.ok(channel !== null);
  const soon = (): number => clock.now_ms() + 5_000;
  // The fake says hello, then repeats every word.
  assert.equal(await channel.next(soon()), 'hello');
  channel.say('größer');
  channel.say('{"port":4711}');
  assert.deepEqual([await channel.next(soon()), await channel.next(soon())], ['größer', '{"port":4711}']);
  const before = clock.now_ms();
  assert.equal(await channel.next(before + 50), null);
  assert.ok(clock.now_ms() >= before + 49);
  assert.throws(() => channel.say('x'.repeat(8193)), RangeError);
  const waiting = channel.next(soon());
  channel.hang_up();
  assert.equal(await waiting, null);
  channel.say('nobody hears this');
  assert.equal(await channel.next(soon()), null);
});

test('a cancelled command resolves with null at once, and a late answer to it is ignored', async (t) => {
  const { host, commands } = started(t);
  await commands.ready();
  const question = commands.measure(slot('3.1', host.clock.monotonic() + 60_000));
  commands.cancel('3.1');
  assert.equal(await question, null);
  assert.equal((await commands.measure(slot('3.2', host.clock.monotonic())))?.id, '3.2');
});
