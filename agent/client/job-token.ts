import { ExitError } from '../run/exit-error.ts';

/** The claims that the agent reads from a job token. It cannot check the signature; the coordinator does. */
interface TokenClaims {
  coordinator: string | null;
}

/** @returns null if the text is not a JWT at all */
function readTokenClaims(token: string): TokenClaims | null {
  const payload = token.split('.')[1];
  if (payload === undefined) return null;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
    if (claims === null || typeof claims !== 'object') return null;
    const url = 'coordinator' in claims ? claims.coordinator : null;
    return { coordinator: typeof url === 'string' ? url : null };
  } catch {
    return null;
  }
}

/**
 * The coordinator's address: the operator's if given, otherwise the token's claim.
 * @returns an http(s) URL without a trailing slash
 * @throws ExitError usage for a bad address, refused if neither the operator nor the token names one
 */
export function coordinatorUrl(given: string | null, token: string): string {
  if (given !== null) return givenUrl(given);
  const claims = readTokenClaims(token);
  if (claims === null) {
    throw new ExitError(
      'refused',
      'this is not a job token',
      'Copy the whole token of the job, or name the coordinator with --coordinator URL.',
    );
  }
  if (claims.coordinator === null) {
    throw new ExitError(
      'usage',
      'the token does not say where its coordinator is',
      'Add --coordinator URL or set GPUMARK_COORDINATOR.',
    );
  }
  return checkedUrl(claims.coordinator, 'refused', "the token's coordinator");
}

/** An address given by the operator, normalised as in `coordinatorUrl`. @throws ExitError usage for a bad one */
export const givenUrl = (given: string): string => checkedUrl(given, 'usage', '--coordinator');

function checkedUrl(text: string, reason: 'usage' | 'refused', what: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ExitError(reason, `${what} must be a URL such as https://gpumark.example, not '${text}'`);
  }
  return (url.origin + url.pathname).replace(/\/+$/, '');
}
