import { X509Certificate } from 'node:crypto';
import { SET_CLOCK } from '../client/call-errors.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { readOptionFile } from './option-file.ts';
import type { ParsedFlags } from './options.ts';

/** In bytes; a system's complete CA bundle takes a quarter of this. */
const BUNDLE_BYTES_MAX = 1024 * 1024;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/**
 * Reads and checks the PEM certificates of `--ca` or GPUMARK_CA, so that an invalid file is reported here and not as a
 * refused connection later. Null if neither is given.
 * @throws ExitError usage
 */
export function readCertificates(host: Pick<Host, 'env' | 'clock'>, flags: Pick<ParsedFlags, 'ca'>): string | null {
  const path = flags.ca ?? (host.env['GPUMARK_CA']?.trim() || null);
  if (path === null) return null;
  const content = readOptionFile({ path, option: '--ca', most_bytes: BUNDLE_BYTES_MAX });
  const certificates = content.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) {
    throw wrong(`${path} contains no PEM certificate`, 'It must have lines -----BEGIN CERTIFICATE-----.');
  }
  const read = certificates.map((text, place) => readCertificate(text, `certificate ${place + 1} of ${path}`));
  const now = host.clock.now();
  const clock = `this machine’s clock says ${new Date(now).toISOString()}`;
  if (read.every(({ validToDate }) => validToDate.getTime() < now)) {
    const when = read.at(-1)?.validTo ?? '';
    const remedy = `Ask the operator of the coordinator for the current one or, if the clock is wrong, ${SET_CLOCK}.`;
    throw wrong(`${path} expired on ${when}, ${clock}`, remedy);
  }
  if (read.every(({ validFromDate }) => validFromDate.getTime() > now)) {
    const when = read.at(-1)?.validFrom ?? '';
    throw wrong(`${path} is valid only from ${when}, ${clock}`, `If the clock is wrong, ${SET_CLOCK}.`);
  }
  return certificates.join('\n');
}

function readCertificate(text: string, what: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (cause) {
    throw wrong(`${what} cannot be read`, 'Copy the file again, whole.', cause);
  }
}

const wrong = (message: string, remedy: string, cause?: unknown): ExitError =>
  new ExitError('usage', `--ca: ${message}`, remedy, cause);
