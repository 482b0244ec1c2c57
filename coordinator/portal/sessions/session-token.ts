import { createHash } from 'node:crypto';
import type { Platform } from '../../platform/context.ts';

/** 256 random bits, as they stand in the cookie. */
export const newSessionToken = ({ randomBytes }: Pick<Platform, 'randomBytes'>): string =>
  randomBytes(32).toString('base64url');

/** What is kept of it. */
export const hashOfSession = (token: string): Buffer => createHash('sha256').update(token).digest();
