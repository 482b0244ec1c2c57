import {
  applicationInfoGetRoute,
  applicationInfoRoute,
  createApplicationRoute,
  deleteApplicationRoute,
  generateTokenRoute,
  listApplicationsRoute,
  revokeTokenRoute,
  takeOverApplicationRoute,
  tokenInfoRoute,
  updateApplicationRoute,
} from '../../contract/application.ts';
import type { Platform } from '../../platform/context.ts';
import { createArea, type Area } from '../../platform/http/area.ts';
import { changeApplication, deleteApplication, takeOverApplication } from './change-application.ts';
import { createApplication } from './create-application.ts';
import { readApplication, readTokenInfo } from './find-application.ts';
import { generateToken } from './generate-token.ts';
import { listApplications } from './list-applications.ts';
import { revokeToken } from './revoke-token.ts';

export function applicationsArea(platform: Platform): Area {
  const area = createArea(platform, 'envelope');
  area.on(createApplicationRoute, (context, { body }) => createApplication(context, body));
  area.on(generateTokenRoute, (context, { body }) => generateToken(context, body));
  area.on(tokenInfoRoute, (context) => readTokenInfo(context));
  area.on(updateApplicationRoute, (context, { body }) => changeApplication(context, body));
  area.on(applicationInfoRoute, (context, { body }) => readApplication(context, body));
  area.on(applicationInfoGetRoute, (context, { body }) => readApplication(context, body));
  area.on(listApplicationsRoute, (context, { body }) => listApplications(context, body));
  area.on(deleteApplicationRoute, (context, { body }) => deleteApplication(context, body));
  area.on(takeOverApplicationRoute, (context, { body }) => takeOverApplication(context, body));
  area.on(revokeTokenRoute, (context, { body }) => revokeToken(context, body.id));
  return area;
}
