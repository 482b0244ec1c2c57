import { createHash } from 'node:crypto';
import type { Platform } from '../../platform/context.ts';

/** 256 random bits, as they stand in the cookie. */
export const newSessionToken = ({ randomBytes }: Pick<Platform, 'randomBytes'>): string =>
  randomBytes(32).toString('base64url');

/** What is kept of it. */
export const hashOfSession = (token: string): Buffer => createHash('sha256').update(token).digest();

const HOUR_MS = 3_600_000;

/** A browser that nobody touched for so long is signed out, and every one after the second (OWASP ASVS 5.0, 7.3). */
export const SESSION_MS = { idle: 12 * HOUR_MS, most: 7 * 24 * HOUR_MS } as const;

/** What shows a secret or changes who may do what asks for a password given no longer ago. */
export const FRESH_MS = 10 * 60_000;

/** How exactly it is kept when a session was last used. */
export const SEEN_MS = 60_000;
