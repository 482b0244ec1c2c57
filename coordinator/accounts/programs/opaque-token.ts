import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** How each kind begins, so that people and secret scanners recognise it. */
const prefixes = {
  client_secret: 'gms_',
  app_token: 'gma_',
  api_key: 'gmk_',
  password_link: 'gmp_',
} as const;
export type OpaqueKind = keyof typeof prefixes;

interface OpaqueToken {
  /** shown once and stored nowhere */
  token: string;
  /** what may be shown later: prefix and six of the 32 random characters, which leave 155 bits unknown */
  shown: string;
  hash: Buffer;
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM_CHARACTERS = 32;
/** 62^6 > 2^32 */
const CHECK_CHARACTERS = 6;
const SHOWN_CHARACTERS = 6;
const SHAPE = new RegExp(`^(gm[smakp]_)([0-9A-Za-z]{${RANDOM_CHARACTERS}})([0-9A-Za-z]{${CHECK_CHARACTERS}})$`);

/**
 * Prefix, 190 random bits in base 62, and the CRC-32 of both in base 62: a scanner can recognise a real one without asking us
 * (GitHub and npm use this form), and so can we without asking the database.
 */
export function makeToken(kind: OpaqueKind, randomBytes: (count: number) => Buffer): OpaqueToken {
  const body = prefixes[kind] + randomDigits(RANDOM_CHARACTERS, randomBytes);
  const token = body + checkOf(body);
  return { token, shown: token.slice(0, prefixes[kind].length + SHOWN_CHARACTERS), hash: hashOf(token) };
}

/** SHA-256 of a well-formed token of that kind; null for any other text. */
export function readToken(kind: OpaqueKind, token: string): Buffer | null {
  const [, prefix = '', random = '', check = ''] = SHAPE.exec(token) ?? [];
  if (prefix !== prefixes[kind] || checkOf(prefix + random) !== check) return null;
  return hashOf(token);
}

export const hasPrefix = (kind: OpaqueKind, token: string): boolean => token.startsWith(prefixes[kind]);

/** The public id of an application, which is used together with its secret. */
export const makeClientId = (randomBytes: (count: number) => Buffer): string => `gmc_${randomDigits(24, randomBytes)}`;

/** No salt and no slow hash: 190 random bits cannot be guessed. */
const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

function randomDigits(count: number, randomBytes: (count: number) => Buffer): string {
  let digits = '';
  while (digits.length < count) {
    // Bytes from 248 on are left out: they would make the first digits likelier than the others.
    for (const byte of randomBytes(count)) if (byte < 248 && digits.length < count) digits += DIGITS[byte % 62];
  }
  return digits;
}

function checkOf(body: string): string {
  let left = crc32(body);
  let digits = '';
  for (let place = 0; place < CHECK_CHARACTERS; place += 1, left = Math.floor(left / 62))
    digits = DIGITS[left % 62] + digits;
  return digits;
}
