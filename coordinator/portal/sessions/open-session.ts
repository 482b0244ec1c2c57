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

/** In order of precedence: a browser also names those it is compatible with, as Edge does Chrome and Safari. */
const BROWSERS: [name: string, version: RegExp][] = [
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+).*Safari/],
  ['curl', /curl\/(\d+)/],
];
/** Likewise: Android also says Linux, an iPhone Mac OS X. */
const SYSTEMS = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'];

/** `Firefox 128 on Linux`, as far as the header tells. */
export function browserOf(userAgent = ''): string {
  const [brand] = BROWSERS.flatMap(([name, version]) => {
    const found = version.exec(userAgent);
    return found ? [`${name} ${found[1] ?? ''}`] : [];
  });
  const system = SYSTEMS.find((name) => userAgent.includes(name));
  const browser = brand ?? 'An unknown browser';
  return `${browser}${system === undefined ? '' : ` on ${system}`}`.slice(0, MOST_BROWSER);
}
