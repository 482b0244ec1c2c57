import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normaliseArgv } from '../../../agent/cli/arguments.ts';
import { looksLikeToken, withoutTokens } from '../../../agent/run/tokens.ts';
import { jobToken } from '../support/test-host.ts';

test('long options with one dash become ordinary ones, with a value after a blank or an equals sign', () => {
  assert.deepEqual(normaliseArgv(['-api-key', 'X', '-setup']), ['--api-key', 'X', '--setup']);
  assert.deepEqual(normaliseArgv(['-api-key=X=Y']), ['--api-key=X=Y']);
  assert.deepEqual(normaliseArgv(['-api-key-file', 'f']), ['--api-key-file', 'f']);
});

test('what is no known long name stays as it is, and so does everything after --', () => {
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

test('tokens are masked wherever they stand in a text', () => {
  const token = jobToken('http://h');
  assert.equal(withoutTokens(`bad --x=${token}!`), 'bad --x=[token]!');
  assert.equal(withoutTokens('key opaque-secret-1 leaked', ['opaque-secret-1']), 'key [token] leaked');
});
