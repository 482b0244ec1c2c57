import { createHash } from 'node:crypto';
import type { Platform } from '../../platform/context.ts';

/** 256 random bits, as they appear in the cookie. */
export const newSessionToken = ({ randomBytes }: Pick<Platform, 'randomBytes'>): string =>
  randomBytes(32).toString('base64url');

/** The stored form of the token. */
export const hashOfSession = (token: string): Buffer => createHash('sha256').update(token).digest();

const HOUR_MS = 3_600_000;

/**
 * A browser is signed out after the first period without use, and in any case after the second (OWASP ASVS 5.0, 7.3).
 */
export const SESSION_MS = { idle: 12 * HOUR_MS, most: 7 * 24 * HOUR_MS } as const;

/** Actions that show a secret or change permissions require a password given within this time. */
export const FRESH_MS = 10 * 60_000;

/** Precision to which a session's last use is recorded. */
export const SEEN_MS = 60_000;
