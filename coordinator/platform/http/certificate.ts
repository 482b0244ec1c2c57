import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { createSecureContext } from 'node:tls';
import type { Platform } from '../context.ts';
import { runPeriodically, type Periodic } from '../periodic.ts';

interface TlsFiles {
  /** PEM, the server's certificate first, then the intermediate ones */
  certFile: string;
  keyFile: string;
}

export interface Certificate {
  cert: Buffer;
  key: Buffer;
  validTo: Date;
}

/** How often the files are checked: renewal tools write them weeks before the old certificate expires. */
const LOOK_MS = 30_000;
const SOON_MS = 14 * 86_400_000;

/** Throws an error whose message is one sentence and names the variable of the faulty file. */
export async function readCertificate({ certFile, keyFile }: TlsFiles): Promise<Certificate> {
  const read = (variable: string, path: string): Promise<Buffer> =>
    readFile(path).catch((error: NodeJS.ErrnoException) => {
      throw new Error(`${variable}: ${path} cannot be read (${error.code ?? error.message}).`, { cause: error });
    });
  const [cert, key] = await Promise.all([read('TLS_CERT_FILE', certFile), read('TLS_KEY_FILE', keyFile)]);
  try {
    createSecureContext({ cert, key });
    return { cert, key, validTo: new X509Certificate(cert).validToDate };
  } catch (cause) {
    throw new Error(
      `TLS_CERT_FILE and TLS_KEY_FILE: ${certFile} and ${keyFile} are not a certificate and its key in PEM.`,
      { cause },
    );
  }
}

/** A warning if the certificate has expired or expires soon; else null. */
export function certificateDoubt({ validTo }: Pick<Certificate, 'validTo'>, now: Date): string | null {
  const day = validTo.toISOString().slice(0, 10);
  if (validTo <= now)
    return `the certificate of TLS_CERT_FILE expired on ${day}; clients that verify it cannot connect: renew it`;
  if (validTo.getTime() - now.getTime() < SOON_MS)
    return `the certificate of TLS_CERT_FILE expires on ${day}: renew it`;
  return null;
}

/** Uses a renewed certificate for all new connections; one that is incomplete or invalid is tried again at the next check. */
export function heedRenewal(
  server: Pick<Server, 'setSecureContext'>,
  { files, first, everyMs = LOOK_MS }: { files: TlsFiles; first: Certificate; everyMs?: number },
  { log, now, randomBytes }: Pick<Platform, 'log' | 'now' | 'randomBytes'>,
): Periodic {
  let current = first;
  let told: string | null = null;
  const tell = (doubt: string | null): void => {
    if (doubt !== null && doubt !== told) log.error({ file: files.certFile }, doubt);
    told = doubt;
  };
  tell(certificateDoubt(first, now()));
  const look = async (): Promise<void> => {
    const found = await readCertificate(files).catch((error: unknown) => {
      tell(`${error instanceof Error ? error.message : String(error)} The previous one stays in use.`);
      return null;
    });
    if (!found) return;
    if (!found.cert.equals(current.cert) || !found.key.equals(current.key)) {
      server.setSecureContext({ cert: found.cert, key: found.key });
      current = found;
      log.info({ valid_to: found.validTo }, 'the certificate was renewed');
    }
    tell(certificateDoubt(current, now()));
  };
  return runPeriodically({ name: 'tls-renewal', everyMs, work: look, log, randomBytes });
}
