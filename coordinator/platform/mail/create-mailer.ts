import type { Config } from '../config.ts';

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

export type SendMail = (mail: Mail) => Promise<void>;

/** Timeouts, which bound how long an unresponsive server delays the following mails. */
const CONNECT_MS = 10_000;
const SILENCE_MS = 20_000;
const LOCAL = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Sends mail by SMTP; null if it is not configured. Opens a connection for each mail, as there are few. Connections to other
 * machines must be encrypted, by smtps:// or STARTTLS, with a verified certificate.
 */
export function createMailer({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail | null {
  if (smtpUrl === null || mailFrom === null) return null;
  return async (mail) => {
    // Loaded on demand: half a megabyte that most processes never need.
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
