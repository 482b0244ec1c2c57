import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMailer } from '../../../../coordinator/platform/mail/create-mailer.ts';
import { mailServer } from '../../../support/mail-server.ts';

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'A line.\n\n.a line that begins with a dot\n' };

test('a mail arrives with its sender, its subject and its text as they were', async (t) => {
  const server = await mailServer(t);
  await createMailer({ smtpUrl: server.url, mailFrom: 'gpumark <noreply@gpumark.test>' })?.(mail);
  const [received] = server.mails;
  assert.ok(received);
  assert.deepEqual([received.from, received.to], ['noreply@gpumark.test', ['ada@example.com']]);
  // RFC 2047: what is not ASCII travels as an encoded word.
  assert.match(received.raw, /^Subject: =\?UTF-8\?Q\?Gr=C3=BC=C3=9Fe\?=$/m);
  assert.equal(received.text.trim(), mail.text.trim());
});

test('beyond this machine nothing is said in the clear: neither the mail nor the password of the server', async (t) => {
  // Not one of the names of this machine, though it is: and this server offers no STARTTLS.
  const server = await mailServer(t, '127.0.0.2');
  const smtpUrl = server.url.replace('smtp://', 'smtp://sender:secret@');
  const send = createMailer({ smtpUrl, mailFrom: 'noreply@gpumark.test' });
  assert.ok(send);
  await assert.rejects(send(mail));
  assert.deepEqual(server.mails, []);
  assert.deepEqual(
    server.lines.map((line) => line.split(' ')[0]),
    ['EHLO', 'STARTTLS'],
  );
});

test('without a server and a sender there is no mailer', () => {
  assert.equal(createMailer({ smtpUrl: null, mailFrom: null }), null);
});
