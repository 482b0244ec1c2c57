import assert from 'node:assert/strict';
import { test } from 'node:test';
import { base32, keyUri, stepOfCode } from '../../../../coordinator/accounts/second-factor/totp.ts';
import { appCode, keyOf } from '../../../support/authenticator.ts';

/** RFC 6238, appendix B, the rows of SHA-1, of whose eight digits an app shows the last six. */
const secret = Buffer.from('12345678901234567890');
const vectors: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
];

test('codes are those of RFC 6238, appendix B', () => {
  for (const [seconds, code] of vectors) {
    const now = new Date(seconds * 1000);
    assert.equal(stepOfCode(secret, code, now), Math.floor(seconds / 30), `at ${seconds} s`);
    assert.equal(appCode(base32(secret), now), code, 'the app of the other tests computes the same');
  }
});

test('one step before and after is taken, two are not, nor is anything but six digits', () => {
  const now = new Date(1_234_567_890_000);
  const step = Math.floor(1_234_567_890 / 30);
  const seen = [-2, -1, 0, 1, 2].map((steps) => stepOfCode(secret, appCode(base32(secret), now, steps), now));
  assert.deepEqual(seen, [null, step - 1, step, step + 1, null]);
  for (const code of ['', '005925', '05924', '0005924', ' 005924', '00592４', '5924', '+05924'])
    assert.equal(stepOfCode(secret, code, now), null, code);
});

test('the key is base32 of RFC 4648, and the address is what authenticator apps read', () => {
  assert.equal(base32(Buffer.from('fooba')), 'MZXW6YTB');
  assert.equal(base32(secret), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ');
  assert.deepEqual(keyOf(base32(secret)), secret);
  assert.equal(
    keyUri(secret, { issuer: 'gpumark', email: 'ada+x@example.com' }),
    'otpauth://totp/gpumark:ada%2Bx%40example.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=gpumark&algorithm=SHA1&digits=6&period=30',
  );
});
