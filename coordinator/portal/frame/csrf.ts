import { createHash, timingSafeEqual } from 'node:crypto';
import { DomainError } from '../../platform/errors.ts';
import { addressHere, type Visit } from './visit.ts';

/** The CSRF token of a session's forms: derived from the cookie's value, which no page and no script can read. */
export const csrfOf = (sessionToken: string): string =>
  createHash('sha256').update(`form ${sessionToken}`).digest('base64url');

/** Name of the hidden form field. */
export const CSRF_FIELD = 'csrf';

/**
 * A form must come from one of our own pages: checked by the browser's `Sec-Fetch-Site` (or `Origin` from older
 * browsers) and, if somebody is signed in, also by the session's token. Throws `forbidden`.
 */
export function refuseForeignForm(visit: Visit): void {
  const { member, form } = visit;
  if (!isOurs(visit, addressHere(visit))) throw foreign();
  if (member === null) return;
  const given = Buffer.from(form.get(CSRF_FIELD) ?? '');
  const wanted = Buffer.from(member.csrf);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw foreign();
}

function isOurs({ header }: Pick<Visit, 'header'>, own: string): boolean {
  const site = header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = header('origin');
  return origin !== undefined && URL.canParse(own) && origin === new URL(own).origin;
}

const foreign = (): DomainError =>
  new DomainError(
    'forbidden',
    'This form is too old, or it does not come from this portal. Nothing was changed. Open the page again and send it once more.',
  );
