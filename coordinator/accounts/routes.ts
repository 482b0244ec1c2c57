import { currentUserRoute, loginRoute } from '../contract/user.ts';
import type { Platform } from '../platform/context.ts';
import { createArea, type Area } from '../platform/http/area.ts';
import { logIn } from './log-in.ts';
import { readCurrentUser } from './read-current-user.ts';

export function accountsArea(platform: Platform): Area {
  const area = createArea(platform, 'envelope');
  area.on(loginRoute, (context, { body }) => logIn(context, body));
  area.on(currentUserRoute, (context) => readCurrentUser(context));
  return area;
}
