import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transportHeaders } from '../../../../coordinator/platform/http/headers.ts';

const sent = (publicUrl: string | null, trustedProxies: number, forwardedProto?: string) =>
  transportHeaders({ publicUrl, trustedProxies }, forwardedProto)['Strict-Transport-Security'];

test('HSTS is sent behind TLS: by PUBLIC_URL, or by the word of a trusted proxy, never by the caller’s own', () => {
  assert.equal(sent('https://gpumark.example', 0), 'max-age=31536000');
  assert.equal(sent('http://10.0.0.5', 1, 'https'), 'max-age=31536000');
  for (const without of [sent('http://10.0.0.5', 1), sent(null, 0), sent(null, 0, 'https'), sent(null, 1, 'http')])
    assert.equal(without, undefined);
});
