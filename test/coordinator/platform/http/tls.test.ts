import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Server as TlsServer } from 'node:https';
import { join } from 'node:path';
import { test } from 'node:test';
import { connect } from 'node:tls';
import { Agent, request } from 'undici';
import { heedRenewal, readCertificate } from '../../../../coordinator/platform/http/certificate.ts';
import { defaultLimits, listen } from '../../../../coordinator/platform/http/serve.ts';
import { createLog } from '../../../../coordinator/platform/log.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { makeDataDir, removeDataDir } from '../../../support/data-dir.ts';
import { until } from '../../../support/until.ts';

const app = { fetch: () => new Response('served') };

test('https from certificate files: a client that trusts the authority is served, and a renewed file is taken without a restart', async (t) => {
  const folder = await makeDataDir();
  t.after(() => removeDataDir(folder));
  const first = makeCertificates(folder);
  const files = { certFile: join(folder, 'server.pem'), keyFile: join(folder, 'server.key') };
  const certificate = await readCertificate(files);
  const listening = await listen(
    app,
    { host: '127.0.0.1', port: 0 },
    { ...defaultLimits, maxConnectionsPerAddress: 2 },
    certificate,
  );
  t.after(() => listening.stop());
  assert.match(listening.url, /^https:\/\/127\.0\.0\.1:\d+$/);
  const said: string[] = [];
  const log = createLog('info', { write: (line) => void said.push(line) });
  assert.ok(listening.server instanceof TlsServer);
  const renewal = heedRenewal(
    listening.server,
    { files, first: certificate, everyMs: 20 },
    { log, now: () => new Date(), randomBytes },
  );
  t.after(() => renewal.stop());

  const dispatcher = new Agent({ connect: { ca: readFileSync(first.ca) } });
  t.after(() => dispatcher.destroy());
  const answer = await request(listening.url, { dispatcher });
  assert.equal(await answer.body.text(), 'served');
  await assert.rejects(request(listening.url), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
  await assert.rejects(request(listening.url.replace('https', 'http')));

  const serial = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const { port } = new URL(listening.url);
      const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false }, () => {
        resolve(socket.getPeerCertificate().serialNumber);
        socket.destroy();
      }).once('error', reject);
    });
  const before = await serial();
  // Half written, as a look may find it.
  writeFileSync(files.certFile, first.cert.subarray(0, 100));
  await until('a word about the half file', () => said.some((line) => line.includes('The previous one stays in use')));
  assert.equal(await serial(), before);
  makeCertificates(folder);
  await until('the new certificate', async () => (await serial()) !== before);
  await until('a line in the log', () => said.some((line) => line.includes('the certificate was renewed')));
});
