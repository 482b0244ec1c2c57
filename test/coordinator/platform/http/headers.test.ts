import assert from 'node:assert/strict';
import { test } from 'node:test';
import { transportHeaders } from '../../../../coordinator/platform/http/headers.ts';

const settings = { publicUrl: null, trustedProxies: 0, tls: null, hsts: 'subdomains' as const };
const sent = (changed: Partial<Parameters<typeof transportHeaders>[0]>, forwardedProto?: string) =>
  transportHeaders({ ...settings, ...changed }, forwardedProto)['Strict-Transport-Security'];

const A_YEAR = 'max-age=31536000; includeSubDomains';

test('HSTS is sent behind TLS: by our certificate, by PUBLIC_URL, or by the word of a trusted proxy, never by the caller’s own', () => {
  assert.equal(sent({ tls: { certFile: 'cert.pem', keyFile: 'key.pem' } }), A_YEAR);
  assert.equal(sent({ publicUrl: 'https://gpumark.example' }), A_YEAR);
  assert.equal(sent({ publicUrl: 'http://10.0.0.5', trustedProxies: 1 }, 'https'), A_YEAR);
  for (const without of [
    sent({ publicUrl: 'http://10.0.0.5', trustedProxies: 1 }),
    sent({}),
    sent({}, 'https'),
    sent({ trustedProxies: 1 }, 'http'),
  ])
    assert.equal(without, undefined);
});

test('HSTS=host leaves the names beneath ours as they are, HSTS=off says nothing', () => {
  assert.equal(sent({ publicUrl: 'https://example.org', hsts: 'host' }), 'max-age=31536000');
  assert.equal(sent({ publicUrl: 'https://example.org', hsts: 'off' }), undefined);
});
