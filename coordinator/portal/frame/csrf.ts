import { createHash, timingSafeEqual } from 'node:crypto';
import type { Config } from '../../platform/config.ts';
import { DomainError } from '../../platform/errors.ts';
import type { Visit } from './visit.ts';

/** The token that forms of a session carry: of the cookie's own value, which no page and no script can read. */
export const csrfOf = (sessionToken: string): string =>
  createHash('sha256').update(`form ${sessionToken}`).digest('base64url');

/** The name of the form's hidden field. */
export const CSRF_FIELD = 'csrf';

/**
 * A form must come from a page of ours: by the browser's own word (`Sec-Fetch-Site`, or `Origin` from older browsers), and if
 * somebody is signed in by the session's token too. Throws `forbidden`.
 */
export function refuseForeignForm({ member, form, header, context }: Visit): void {
  if (!isOurs(context.config, header)) throw foreign();
  if (member === null) return;
  const given = Buffer.from(form.get(CSRF_FIELD) ?? '');
  const wanted = Buffer.from(member.csrf);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw foreign();
}

function isOurs({ publicUrl }: Config, header: Visit['header']): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  const own = publicUrl === null ? `http://${header('host') ?? ''}` : new URL(publicUrl).origin;
  return origin !== undefined && origin === own;
}

const foreign = (): DomainError =>
  new DomainError(
    'forbidden',
    'This form is too old, or it does not come from this portal. Nothing was changed. Open the page again and send it once more.',
  );
