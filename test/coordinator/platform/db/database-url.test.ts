import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionErrorSentence } from '../../../../coordinator/platform/db/connection-error.ts';
import {
  describeTarget,
  parseDatabaseUrl,
  unverifiedServer,
} from '../../../../coordinator/platform/db/database-url.ts';
import { majorOf } from '../../../../coordinator/platform/db/open-database.ts';

test('a database URL is read with its escapes, port and TLS mode', () => {
  assert.deepEqual(parseDatabaseUrl('postgresql://me%40here:s%2Fcret@db.example:6000/gpu%20mark?sslmode=verify-full'), {
    host: 'db.example',
    port: 6000,
    database: 'gpu mark',
    user: 'me@here',
    pass: 's/cret',
    ssl: 'verify-full',
  });
  assert.equal(parseDatabaseUrl('postgres://me@[::1]/x').host, '::1');
  assert.equal(parseDatabaseUrl('postgres://me@db/x').ssl, 'prefer');
  assert.equal(parseDatabaseUrl('postgres://me@db').database, 'me');
});

test('a socket directory is named by the host parameter and needs no TLS', () => {
  const target = parseDatabaseUrl('postgres://me@localhost/x?host=%2Frun%2Fpostgresql');
  assert.deepEqual(target, { host: '/run/postgresql', port: 5432, database: 'x', user: 'me', ssl: false });
});

test('a wrong database URL is refused with a sentence that does not repeat it', () => {
  for (const [url, fault] of [
    ['mysql://me:hunter2@db/x', /must look like postgres:/],
    ['hunter2', /must look like postgres:/],
    ['postgres://me:hunter2@/x', /must look like postgres:/],
    ['postgres://:hunter2@db/x', /must name a user/],
    ['postgres://me:hunter2%@db/x', /write it as %25/],
    ['postgres://me:hunter2@db/x?sslmode=maybe', /sslmode must be one of disable/],
    ['postgres://me:hunter2@db/x?sslmode=allow', /sslmode must be one of disable, prefer, require, verify-full/],
    ['postgres://me:hunter2@db/x?sslmode=verify-ca', /sslmode must be one of/],
    ['postgres://me:hunter2@db/x?pool=5', /the parameter "pool"/],
  ] as const) {
    assert.throws(
      () => parseDatabaseUrl(url),
      (error: Error) => fault.test(error.message) && !error.message.includes('hunter2'),
      url,
    );
  }
});

test('a server behind a network whose certificate is not checked is said; loopback and verify-full are not', () => {
  const doubt = (url: string) => unverifiedServer(parseDatabaseUrl(url));
  for (const mode of ['disable', 'prefer', 'require'])
    assert.match(
      doubt(`postgres://me:hunter2@db.example/x?sslmode=${mode}`) ?? '',
      new RegExp(`sslmode=${mode} does not`),
    );
  for (const url of ['127.0.0.1', 'localhost', '[::1]', 'db.example/x?sslmode=verify-full', 'h/x?host=/run/postgresql'])
    assert.equal(doubt(`postgres://me@${url}`), null, url);
});

test('a connection error becomes one sentence, and no password gets into it', () => {
  const target = parseDatabaseUrl('postgres://me:hunter2@db.example/x');
  const error = Object.assign(new Error('getaddrinfo postgres://me:hunter2@db.example'), { code: 'ENOTFOUND' });
  assert.equal(
    connectionErrorSentence(error, target),
    'The database "x" at db.example:5432 as user "me" cannot be used: the host name is unknown.',
  );
  for (const strange of [
    new Error('hunter2'),
    'hunter2',
    Object.assign(new Error('x'), { code: 'hunter 2 in a code' }),
  ]) {
    assert.match(connectionErrorSentence(strange, target), /cannot be used: the cause is unknown\.$/);
  }
  assert.ok(!describeTarget(target).includes('hunter2'));
});

test('servers older than Postgres 15 are refused by name, 15 to 18 are taken', () => {
  assert.throws(() => majorOf(140_011), /is Postgres 14; versions 15 to 18 work/);
  assert.deepEqual([150_000, 160_004, 180_004].map(majorOf), [15, 16, 18]);
});
