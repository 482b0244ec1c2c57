import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { normaliseArgv, runOptions } from '../../../agent/cli/options.ts';
import { buildProgram } from '../../../agent/cli/program.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { looksLikeToken, withoutTokens } from '../../../agent/run/tokens.ts';
import { jobToken, testHost } from '../support/test-host.ts';

const flags = { device: 'auto', tier: 'quick' } as const;
const usage = (error: unknown): boolean => error instanceof ExitError && error.code === 2;

test('the token is taken from the flag, the lone argument, the file, the environment, in this order', (t) => {
  const host = testHost(t, { env: { GPUMARK_API_KEY: 'from-env' } });
  const file = join(host.folder, 'key');
  writeFileSync(file, 'from-file\n', { mode: 0o600 });
  const lone = jobToken(null);
  assert.equal(runOptions(host, { ...flags, apiKey: 'from-flag', apiKeyFile: file }, lone).token, 'from-flag');
  assert.equal(runOptions(host, { ...flags, apiKeyFile: file }, lone).token, lone);
  assert.equal(runOptions(host, { ...flags, apiKeyFile: file }, undefined).token, 'from-file');
  assert.equal(runOptions(host, flags, undefined).token, 'from-env');
  assert.equal(runOptions(testHost(t, { env: { GPUMARK_API_KEY: ' ' } }), flags, undefined).token, null);
});

test('identity, location and coordinator come from the flag before the environment', (t) => {
  const host = testHost(t, {
    env: { GPUMARK_MACHINE_ID: 'b', GPUMARK_LOCATION: 'B', GPUMARK_COORDINATOR: 'http://b' },
  });
  const given = runOptions(host, { ...flags, machineId: 'a', location: 'A', coordinator: 'http://a' }, undefined);
  assert.deepEqual([given.machine_id, given.location, given.coordinator], ['a', 'A', 'http://a']);
  const found = runOptions(host, flags, undefined);
  assert.deepEqual([found.machine_id, found.location, found.coordinator], ['b', 'B', 'http://b']);
});

test('options that contradict each other are usage errors', (t) => {
  assert.throws(() => runOptions(testHost(t), { ...flags, json: true, output: 'classic' }, undefined), usage);
  assert.throws(() => runOptions(testHost(t), { ...flags, offline: true }, undefined), usage);
});

test('--max-seconds is a number above 0 and does not shorten a soak', (t) => {
  const given = (maxSeconds: string, tier: 'quick' | 'soak' = 'quick') =>
    runOptions(testHost(t), { ...flags, tier, maxSeconds }, undefined).max_seconds;
  assert.deepEqual([given('20'), runOptions(testHost(t), flags, undefined).max_seconds], [20, null]);
  for (const wrong of ['0', '-1', 'ten', '']) assert.throws(() => given(wrong), usage);
  assert.throws(() => given('20', 'soak'), usage);
});

test('--engine defaults to auto; an invalid value is refused with the valid ones', async (t) => {
  const engine = (given?: 'own' | 'vendor') =>
    runOptions(testHost(t), { ...flags, ...(given === undefined ? {} : { engine: given }) }, undefined).engine;
  assert.deepEqual([engine(), engine('own'), engine('vendor')], ['auto', 'own', 'vendor']);
  const program = buildProgram(testHost(t), () => undefined);
  await assert.rejects(program.parseAsync(['node', 'gpumark-agent', '--engine', 'cublas']), {
    message: /--engine.*'cublas' is invalid\. Allowed choices are auto, vendor, own/,
  });
});

test('an empty key file is a usage error, not a run without a token', (t) => {
  const host = testHost(t);
  writeFileSync(join(host.folder, 'key'), '\n');
  assert.throws(() => runOptions(host, { ...flags, apiKeyFile: join(host.folder, 'key') }, undefined), usage);
});

test('long options with one dash become ordinary ones, with a value after a blank or an equals sign', () => {
  assert.deepEqual(normaliseArgv(['-api-key', 'X', '-setup']), ['--api-key', 'X', '--setup']);
  assert.deepEqual(normaliseArgv(['-api-key=X=Y']), ['--api-key=X=Y']);
  assert.deepEqual(normaliseArgv(['-api-key-file', 'f']), ['--api-key-file', 'f']);
});

test('what is not a known long name stays as it is, and so does everything after --', () => {
  assert.deepEqual(normaliseArgv(['-h', '--api-key', 'X', '-apikey', '-', '-5']), [
    '-h',
    '--api-key',
    'X',
    '-apikey',
    '-',
    '-5',
  ]);
  assert.deepEqual(normaliseArgv(['--', '-api-key', 'X']), ['--', '-api-key', 'X']);
});

test('a JWT is recognised as a token, words and paths are not', () => {
  assert.ok(looksLikeToken(jobToken(null)));
  for (const text of ['doctor', 'a.b.c', '/tmp/eyJ', 'eyJhbGciOi', '']) assert.ok(!looksLikeToken(text), text);
});

test('tokens are masked anywhere in a text', () => {
  const token = jobToken('http://h');
  assert.equal(withoutTokens(`bad --x=${token}!`), 'bad --x=[token]!');
  assert.equal(withoutTokens('key opaque-secret-1 leaked', ['opaque-secret-1']), 'key [token] leaked');
});
