import { createHash } from 'node:crypto';
import { base32 } from './totp.ts';

export const RECOVERY_CODES = 10;
/** 120 random bits, so that a plain SHA-256 is enough (ASVS 5.0, 6.5.2 asks for a slow hash below 112). */
const BYTES = 15;
const SHAPE = /^[a-z2-7]{24}$/;

interface Made {
  /** shown once and stored nowhere: six groups of four letters and digits */
  codes: string[];
  hashes: Buffer[];
}

/** Codes that each sign in once, instead of a code of the app. */
export function makeRecoveryCodes(randomBytes: (count: number) => Buffer): Made {
  const plain = Array.from({ length: RECOVERY_CODES }, () => base32(randomBytes(BYTES)).toLowerCase());
  return { codes: plain.map((code) => code.replaceAll(/(.{4})(?=.)/g, '$1-')), hashes: plain.map(hashOf) };
}

/** The hash of what somebody typed, in either case and with or without hyphens and spaces; null for any other text. */
export function readRecoveryCode(typed: string): Buffer | null {
  const plain = typed.replaceAll(/[\s-]/g, '').toLowerCase();
  return SHAPE.test(plain) ? hashOf(plain) : null;
}

const hashOf = (plain: string): Buffer => createHash('sha256').update(plain).digest();
