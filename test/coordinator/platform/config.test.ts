import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../../../coordinator/platform/config.ts';

test('an empty environment gives the documented defaults', () => {
  const { port, host, databaseUrl, dataDir, publicUrl, jobTokenHours, tokenIndexEarliestDate } = readConfig({});
  assert.deepEqual(
    { port, host, databaseUrl, dataDir, publicUrl, jobTokenHours, tokenIndexEarliestDate },
    {
      port: 8080,
      host: '127.0.0.1',
      databaseUrl: null,
      dataDir: './var',
      publicUrl: null,
      jobTokenHours: 24,
      tokenIndexEarliestDate: '2025-12-01',
    },
  );
});

test('a wrong value is refused with a sentence that names its variable', () => {
  const wrong: Record<string, string> = {
    PORT: '70000',
    DATABASE_URL: 'mysql://x',
    PUBLIC_URL: 'ftp://x',
    ADMIN_EMAIL: 'nobody',
    ADMIN_PASSWORD: 'short',
    JOB_TOKEN_HOURS: '-1',
    TOKEN_INDEX_EARLIEST_DATE: 'yesterday',
    ARTIFACT_URL: 'https://bucket',
    TRUSTED_PROXIES: '1.5',
    HSTS: 'yes',
    METRICS_TOKEN: 'short',
    SMTP_URL: 'https://mail.example.com',
    MAIL_FROM: 'nobody',
    LOG_LEVEL: 'loud',
    RATE_LIMITS: 'maybe',
    RATE_LIMIT_ADDRESS: '600',
    RATE_LIMIT_JOB: '0/10',
  };
  for (const [name, value] of Object.entries(wrong)) {
    assert.throws(() => readConfig({ [name]: value }), new RegExp(`${name}: `), name);
  }
});

test('all wrong values are named at once, and no value is repeated', () => {
  assert.throws(
    () => readConfig({ PORT: 'x', ADMIN_PASSWORD: 'hunter2' }),
    (error: unknown) =>
      error instanceof Error && /PORT: .*ADMIN_PASSWORD: /.test(error.message) && !error.message.includes('hunter2'),
  );
});

test('PUBLIC_URL with more than a host is refused with the remedy: links, cookies and redirects begin at the root', () => {
  for (const more of ['/gpumark', '/gpumark/', '/?a=1', '/#a', '//'])
    assert.throws(
      () => readConfig({ PUBLIC_URL: `https://bench.example.com${more}` }),
      /PUBLIC_URL: .*a host without a path.*host name of its own/,
      more,
    );
  assert.throws(() => readConfig({ PUBLIC_URL: 'https://ada:secret@bench.example.com' }), /PUBLIC_URL: /);
  assert.equal(readConfig({ PUBLIC_URL: 'http://[::1]:8080/' }).publicUrl, 'http://[::1]:8080');
});

test('an empty value counts as absent, and PUBLIC_URL loses its trailing slash', () => {
  const { port, publicUrl } = readConfig({ PORT: '', PUBLIC_URL: 'https://bench.example.com/' });
  assert.deepEqual([port, publicUrl], [8080, 'https://bench.example.com']);
});

test('mail needs a server and a sender; one without the other is refused, and its password is not repeated', () => {
  const both = { SMTP_URL: 'smtps://user:secret@mail.example.com:465', MAIL_FROM: 'gpumark <noreply@example.com>' };
  const { smtpUrl, mailFrom } = readConfig(both);
  assert.deepEqual([smtpUrl, mailFrom], [both.SMTP_URL, both.MAIL_FROM]);
  assert.deepEqual([readConfig({}).smtpUrl, readConfig({}).mailFrom], [null, null]);
  assert.throws(() => readConfig({ SMTP_URL: both.SMTP_URL }), /^Error: SMTP_URL and MAIL_FROM go together/);
  assert.throws(() => readConfig({ MAIL_FROM: both.MAIL_FROM }), /^Error: SMTP_URL and MAIL_FROM go together/);
  for (const from of ['a@example.com\r\nBcc: b@example.com', 'a@', '<a@example.com> b', 'x'.repeat(301)])
    assert.throws(() => readConfig({ ...both, MAIL_FROM: from }), /MAIL_FROM: /, from);
});

test('limits are on with rates of their own for addresses and jobs, and can be set or switched off', () => {
  assert.deepEqual(readConfig({}).rateLimits, {
    address: { perMinute: 600, burst: 300 },
    job: { perMinute: 60_000, burst: 10_000 },
    link: { perMinute: 120, burst: 60 },
  });
  assert.deepEqual(
    readConfig({ RATE_LIMIT_ADDRESS: '120/60', RATE_LIMIT_JOB: '1000000/1', RATE_LIMIT_LINK: '9/3' }).rateLimits,
    {
      address: { perMinute: 120, burst: 60 },
      job: { perMinute: 1_000_000, burst: 1 },
      link: { perMinute: 9, burst: 3 },
    },
  );
  assert.throws(() => readConfig({ RATE_LIMIT_JOB: '1000001/1' }), /RATE_LIMIT_JOB: must be requests a minute/);
  assert.equal(readConfig({ RATE_LIMITS: 'off' }).rateLimits, null);
});
