import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doctor } from '../../../agent/cli/doctor-command.ts';
import { list } from '../../../agent/cli/list-command.ts';
import { hostWithRunner } from '../support/run-harness.ts';

const LONG = 'GPU-0151d0de-514d-4000-8000-514d551a7ed0';
const flags = { device: 'auto', tier: 'quick' } as const;
const gpus = [LONG, 'GPU-2'].map((id) => ({ id, memory: 1000, name: 'NVIDIA H100 80GB HBM3' }));

test('the list of devices is in columns, however long an id is', async (t) => {
  const host = { ...hostWithRunner(t, { gpus }), system_root: '/nonexistent' };
  assert.equal(await list(host, {}), 0);
  const lines = host.out().trimEnd().split('\n');
  const at = new Set(lines.filter((line) => line.includes('H100')).map((line) => line.indexOf('NVIDIA')));
  assert.deepEqual([...at], [LONG.length + '  nvidia  '.length]);
});

test('the list keeps to 80 columns: a long name is wrapped with a hanging indent', async (t) => {
  const name = `Test Card ${'of many words '.repeat(8)}`.trim();
  const host = { ...hostWithRunner(t, { gpus: [{ id: LONG, name }] }), system_root: '/nonexistent' };
  assert.equal(await list(host, {}), 0);
  const lines = host.out().trimEnd().split('\n');
  assert.deepEqual(
    lines.filter((line) => line.length > 80),
    [],
  );
  const joined = lines.map((line) => line.trim()).join(' ');
  assert.ok(joined.includes(name), joined);
});

test('doctor separates a card’s id from its finding', async (t) => {
  const host = { ...hostWithRunner(t, { gpus }), system_root: '/nonexistent' };
  await doctor(host, flags);
  assert.match(host.out(), new RegExp(`${LONG}\\n +NVIDIA H100`));
  assert.match(host.out(), /GPU-2 +NVIDIA H100/);
});
