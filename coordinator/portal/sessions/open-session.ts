import { decodeJwt } from 'jose';
import type { LoginData } from '../../contract/user.ts';
import type { Context } from '../../platform/context.ts';
import { insertPortalSession } from '../queries/sessions.ts';
import { hashOfSession, newSessionToken } from './session-token.ts';

const MOST_BROWSER = 120;

/**
 * Opens a browser session on top of the API session that a sign-in or password change created. The API tokens are not
 * sent to the browser: a page has no use for them, and what is not sent cannot be stolen. Returns the cookie's value.
 */
export async function openSession(context: Context, tokens: LoginData, userAgent: string | undefined): Promise<string> {
  const { sid, sub } = decodeJwt(tokens.id_token);
  if (typeof sid !== 'string' || sub === undefined) throw new Error('a login token names no session');
  const token = newSessionToken(context);
  const now = context.now();
  await insertPortalSession(context.sql, {
    token_hash: hashOfSession(token),
    login_session_id: sid,
    user_id: sub,
    created_at: now,
    seen_at: now,
    password_at: now,
    address: context.client.address?.slice(0, 60) ?? null,
    browser: browserOf(userAgent),
  });
  return token;
}

/** `Firefox 128 on Linux`, as far as the header allows; brands that others imitate are checked last. */
function browserOf(userAgent = ''): string {
  const name = /(Edg|OPR|Firefox|HeadlessChrome|Chrome|Version(?=.*Safari)|curl)\/(\d+)/.exec(userAgent);
  const system = /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(userAgent)?.[0];
  const brand =
    { Edg: 'Edge', OPR: 'Opera', Version: 'Safari', HeadlessChrome: 'Chrome' }[name?.[1] ?? ''] ?? name?.[1];
  const browser = brand === undefined ? 'An unknown browser' : `${brand} ${name?.[2] ?? ''}`;
  return `${browser}${system === undefined ? '' : ` on ${system}`}`.slice(0, MOST_BROWSER);
}
