import type { Config } from '../config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

/** A server that does not answer holds up the mails behind it for no longer. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * How mail leaves; null if none is set up. A connection for each mail: they are few. Beyond this machine the way must be
 * encrypted, by smtps:// or STARTTLS with a certificate that is checked.
 */
export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return async (mail) => {
    // Half a megabyte that most processes never need.
    const { createTransport } = await import('nodemailer');
    const isLocal = LOCAL.has(new URL(smtpUrl).hostname);
    const transport = createTransport({
      url: smtpUrl,
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      dnsTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      ...(isLocal ? { ignoreTLS: true } : { requireTLS: true }),
    });
    await transport.sendMail({ from: mailFrom, ...mail, disableFileAccess: true, disableUrlAccess: true });
  };
}
