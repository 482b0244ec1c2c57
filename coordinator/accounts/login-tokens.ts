import { SignJWT } from 'jose';
import type { LoginData } from '../contract/user.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from './queries.ts';
import { currentSigningKey } from './signing-key.ts';
import type { Session } from './sessions/begin-session.ts';
import { ISSUER } from './job-token.ts';
import { LOGIN_SECONDS } from './token-times.ts';

/**
 * The three tokens of one sign-in or renewal. `sid` ties them to the session and `epoch` to all sessions of the user, which end
 * when it is raised; `gen` is the generation of the session that the refresh token belongs to. No token outlives the session.
 */
export async function issueLoginTokens(context: Context, user: UserRow, session: Session): Promise<LoginData> {
  const signing = await currentSigningKey(context, 'login');
  const issuedAt = Math.floor(context.now().getTime() / 1000);
  const sessionEnd = Math.floor(session.expiresAt.getTime() / 1000);
  const loginEnd = Math.min(issuedAt + LOGIN_SECONDS, sessionEnd);
  const sign = (use: 'id' | 'access' | 'refresh', expiry: number, extra: Record<string, string | number> = {}) =>
    new SignJWT({ use, epoch: user.session_epoch, sid: session.id, ...extra })
      .setProtectedHeader({ alg: 'HS256', typ: 'JWT', kid: signing.kid })
      .setIssuer(ISSUER)
      .setSubject(user.id)
      .setJti(context.randomBytes(16).toString('base64url'))
      .setIssuedAt(issuedAt)
      .setExpirationTime(expiry)
      .sign(signing.key);
  return {
    access_token: await sign('access', loginEnd),
    refresh_token: await sign('refresh', sessionEnd, { gen: session.generation }),
    id_token: await sign('id', loginEnd, { email: user.email, role: user.role, company_name: user.company_name }),
    token_type: 'bearer',
    expires_in: loginEnd - issuedAt,
    company_name: user.company_name,
  };
}
