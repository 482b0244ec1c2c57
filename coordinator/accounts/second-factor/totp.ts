import { createHmac, timingSafeEqual } from 'node:crypto';

/** What every authenticator app assumes by default (RFC 6238): SHA-1, six digits, a step of 30 seconds. */
const STEP_SECONDS = 30;
const DIGITS = 6;
/** Steps that the clock of a phone may be ahead of or behind ours (RFC 6238, 5.2). */
const TOLERANCE = 1;
/** As many bytes as the hash has (RFC 4226, 4: at least 16, better 20). */
export const SECRET_BYTES = 20;

const stepAt = (now: Date): number => Math.floor(now.getTime() / 1000 / STEP_SECONDS);

/** The code of one step (RFC 4226, 5.3). */
function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS;
  return String(number).padStart(DIGITS, '0');
}

/** The newest step with this code, out of the current one and its neighbours, or null. Compares all of them in constant time. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | null {
  if (!/^\d{6}$/.test(code)) return null;
  const given = Buffer.from(code);
  let found: number | null = null;
  for (let step = stepAt(now) - TOLERANCE; step <= stepAt(now) + TOLERANCE; step += 1)
    if (timingSafeEqual(Buffer.from(codeAt(secret, step)), given)) found = step;
  return found;
}

/** The otpauth URI that an app reads; the defaults are spelled out for apps that have others. */
export function keyUri(secret: Uint8Array, { issuer, email }: { issuer: string; email: string }): string {
  const query = new URLSearchParams({
    secret: base32(secret),
    issuer,
    algorithm: 'SHA1',
    digits: String(DIGITS),
    period: String(STEP_SECONDS),
  });
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?${query.toString()}`;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 without padding, which apps do not accept. Whole groups of five bytes only: nothing else is encoded here. */
export function base32(bytes: Uint8Array): string {
  if (bytes.length % 5 !== 0) throw new Error(`${bytes.length} bytes are not whole groups of five`);
  let digits = '';
  for (let at = 0; at < bytes.length; at += 5) {
    const group = Buffer.from(bytes.subarray(at, at + 5)).readUIntBE(0, 5);
    for (let place = 7; place >= 0; place -= 1) digits += ALPHABET[Math.floor(group / 32 ** place) % 32];
  }
  return digits;
}
