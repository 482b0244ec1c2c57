import { listAuditRoute } from '../contract/audit.ts';
import { currentUserRoute, loginRoute } from '../contract/user.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { reply } from '../platform/http/reply.ts';
import { listEvents } from './audit/list-events.ts';
import { logIn } from './log-in.ts';
import { readCurrentUser } from './read-current-user.ts';

export function accountsArea(platform: Platform): Area {
  const area = createArea(platform, 'envelope');
  area.on(loginRoute, async (context, { body, headers }) => {
    const { tokens, setCookie } = await logIn(context, { ...body, cookie: headers.cookie });
    return reply(200, tokens, { 'Set-Cookie': setCookie });
  });
  area.on(listAuditRoute, (context, { query }) => listEvents(context, query));
  area.on(currentUserRoute, (context) => readCurrentUser(context));
  return area;
}
