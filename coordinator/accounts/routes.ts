import { listAuditRoute } from '../contract/audit.ts';
import { changePasswordRoute, forgotPasswordRoute, resetPasswordRoute } from '../contract/password-routes.ts';
import { refreshRoute, signOutRoute, currentUserRoute, loginRoute, type CurrentUser } from '../contract/user.ts';
import type { Platform, Context } from '../platform/context.ts';
import { createArea, type Area, reply } from '../platform/http/area.ts';
import { listEvents } from './audit/list-events.ts';
import { logIn } from './begin-sign-in.ts';
import { changePassword } from './passwords/change-password.ts';
import { forgotPassword } from './passwords/forgot-password.ts';
import { resetPassword } from './passwords/reset-password.ts';
import { refreshLogin } from './sessions/refresh-login.ts';
import { signOut } from './sessions/sign-out.ts';
import { notFound } from '../platform/errors.ts';
import { findUser } from './queries.ts';

export function accountsArea(platform: Platform): Area {
  const area = createArea(platform, 'envelope');
  area.on(loginRoute, async (context, { body, headers }) => {
    const { tokens, setCookie } = await logIn(context, { ...body, cookie: headers.cookie });
    return reply(200, tokens, { 'Set-Cookie': setCookie });
  });
  area.on(listAuditRoute, (context, { query }) => listEvents(context, query));
  area.on(refreshRoute, (context, { body }) => refreshLogin(context, body.refresh_token));
  area.on(signOutRoute, (context, { body }) => signOut(context, body));
  area.on(changePasswordRoute, async (context, { body }) => {
    const input = { current: body.current_password, next: body.new_password };
    const { tokens, setCookie } = await changePassword(context, input);
    return reply(200, tokens, { 'Set-Cookie': setCookie });
  });
  area.on(forgotPasswordRoute, (context, { body }) => forgotPassword(context, body.email));
  area.on(resetPasswordRoute, (context, { body }) => resetPassword(context, body));
  area.on(currentUserRoute, (context) => readCurrentUser(context));
  return area;
}

/** The person behind the credential. */
async function readCurrentUser(context: Context): Promise<CurrentUser> {
  const user = context.actor.kind === 'user' ? await findUser(context.sql, context.actor.userId) : null;
  if (!user) throw notFound('The user');
  const { email, first_name, last_name, company_name } = user;
  return { email, first_name, last_name, company_name };
}
