import { SignJWT } from 'jose';
import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from './queries.ts';
import { currentSigningKey } from './current-signing-key.ts';
import { ISSUER } from './sign-job-token.ts';
import { LOGIN_SECONDS, REFRESH_SECONDS } from './token-times.ts';

/** The three tokens of one login. `epoch` ties them to the user's sessions: raising it ends them all. */
export async function issueLoginTokens(context: Context, user: UserRow): Promise<LoginData> {
  const signing = await currentSigningKey(context, 'login');
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  const sign = (use: 'id' | 'access' | 'refresh', lifetimeSeconds: number, extra: Record<string, string> = {}) =>
    new SignJWT({ use, epoch: user.session_epoch, ...extra })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
      .setIssuer(ISSUER)
      .setSubject(user.id)
      .setJti(context.randomBytes(16).toString('base64url'))
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + lifetimeSeconds)
      .sign(signing.key);
  return {
    access_token: await sign('access', LOGIN_SECONDS),
    refresh_token: await sign('refresh', REFRESH_SECONDS),
    id_token: await sign('id', LOGIN_SECONDS, { email: user.email, role: user.role, company_name: user.company_name }),
    token_type: 'bearer',
    expires_in: LOGIN_SECONDS,
    company_name: user.company_name,
  };
}
