import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { hashPassword, unmatchableHash, verifyPassword } from '../../../coordinator/accounts/password.ts';

test('a password is kept as argon2id with 19 MiB, two passes and one lane', async () => {
  const hash = await hashPassword('correct horse battery', randomBytes);
  // Also the one that stands in for an unknown address: it costs the same.
  for (const kept of [hash, unmatchableHash(randomBytes)])
    assert.match(kept, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
  assert.equal(await verifyPassword('correct horse battery', hash), true);
  assert.equal(await verifyPassword('correct horse batterz', hash), false);
});

test('a hash made by the argon2 command of the reference implementation verifies', async () => {
  const hash = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  assert.equal(await verifyPassword('password', hash), true);
  assert.equal(await verifyPassword('Password', hash), false);
});

test('composed and decomposed letters are the same password', async () => {
  const hash = await hashPassword('p\u00e4sswort sicher', randomBytes);
  assert.equal(await verifyPassword('pa\u0308sswort sicher', hash), true);
});

test('nothing matches the hash that stands in for an unknown address', async () => {
  assert.equal(await verifyPassword('', unmatchableHash(randomBytes)), false);
});

test('a damaged hash throws instead of letting anybody in', async () => {
  await assert.rejects(verifyPassword('x', '$argon2id$broken'), /not argon2id in PHC form/);
});
