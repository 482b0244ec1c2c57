import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import type { Lifetime } from './lifetime.ts';
import { until } from './until.ts';

export interface ReceivedMail {
  from: string;
  to: string[];
  /** headers and body as they came */
  raw: string;
  /** the body, decoded from quoted-printable where it is */
  text: string;
}

interface MailServer {
  url: string;
  mails: ReceivedMail[];
  lines: string[];
  refuse: (on: boolean) => void;
  /** the first to an address, once it has come */
  mailTo: (email: string) => Promise<ReceivedMail>;
}

/** As much of an SMTP server (RFC 5321) as a client needs that sends plain text; on a free port of a loopback address. */
export async function mailServer(lifetime: Lifetime, host = '127.0.0.1'): Promise<MailServer> {
  const lines: string[] = [];
  const mails: ReceivedMail[] = [];
  let refusing = false;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => undefined);
    serve(socket, { received: (mail) => void mails.push(mail), refuses: () => refusing, lines });
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port');
  lifetime.after(async () => {
    for (const socket of open) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return {
    url: `smtp://${host}:${address.port}`,
    mails,
    lines,
    refuse: (on) => void (refusing = on),
    mailTo: (email) => until(`the mail to ${email}`, () => mails.find(({ to }) => to.includes(email))),
  };
}

const answers: Record<string, string> = { STAR: '502 no TLS here', DATA: '354 end with a dot', QUIT: '221 bye' };

function serve(
  socket: Socket,
  { received, refuses, lines }: { received: (mail: ReceivedMail) => void; refuses: () => boolean; lines: string[] },
): void {
  const say = (line: string) => socket.write(`${line}\r\n`);
  let [from, to, data]: [string, string[], string[] | null] = ['', [], null];
  const take = (line: string): void => {
    lines.push(line);
    if (data !== null) {
      if (line !== '.') return void data.push(line.replace(/^\./, ''));
      received({ from, to, raw: data.join('\n'), text: bodyOf(data.join('\n')) });
      [from, to, data] = ['', [], null];
      return void say('250 kept');
    }
    const path = /<([^>]*)>/.exec(line)?.[1] ?? '';
    const verb = line.slice(0, 4).toUpperCase();
    if (verb === 'MAIL') from = path;
    if (verb === 'RCPT') to.push(path);
    if (verb === 'DATA') data = [];
    say(verb === 'MAIL' && refuses() ? '451 not now' : (answers[verb] ?? '250 go on'));
    if (verb === 'QUIT') socket.end();
  };
  let rest = '';
  say('220 mail.test');
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    const arrived = (rest + chunk).split('\r\n');
    rest = arrived.pop() ?? '';
    for (const line of arrived) take(line);
  });
}

function bodyOf(raw: string): string {
  const at = raw.indexOf('\n\n');
  const body = raw.slice(at + 2);
  if (!/^content-transfer-encoding: quoted-printable$/im.test(raw.slice(0, at))) return body;
  return body
    .replace(/=\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
