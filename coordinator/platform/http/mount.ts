import { OpenAPIHono } from '@hono/zod-openapi';
import type { Platform } from '../context.ts';
import { requestLimits } from '../limits/request-limits.ts';
import type { Area } from './area.ts';
import { admitter, type HearUse } from './auth/admit.ts';
import { authenticator, type Verifier } from './auth/authenticate.ts';
import { fastLane, type Lane } from './fast-lane.ts';
import type { BoundRoute, HttpEnv } from './http-env.ts';
import { createIntake } from './intake.ts';
import { limitRequests } from './limit-requests.ts';
import type { Metrics } from './metrics.ts';
import { observe } from './observe.ts';
import { failWith } from './render-failure.ts';
import { openApiDocument } from './service/openapi-document.ts';
import { serviceArea } from './service/service-area.ts';
import { nearestDialect, unmatched } from './unmatched.ts';
import { uploadThreads } from './upload-threads.ts';

export interface HttpApp {
  fetch: OpenAPIHono<HttpEnv>['fetch'];
  /** In-process request, for tests. */
  request: OpenAPIHono<HttpEnv>['request'];
  /** Every operation served, as the access test walks them. */
  routes: readonly BoundRoute[];
  /** By `METHOD path`: what is answered past the router, see fast-lane.ts. */
  lanes: ReadonlyMap<string, Lane>;
}

/** What of an area is mounted. */
export type Mounted = Pick<Area, 'app' | 'routes' | 'fast'>;

interface Parts {
  platform: Platform;
  areas: readonly Mounted[];
  verifiers: readonly Verifier[];
  used?: HearUse;
  metrics: Metrics;
  isDraining: () => boolean;
}

const ignore: HearUse = () => undefined;

/** All areas and the service's own operations behind one router, with what every request gets around it. */
export function mount({ platform, areas: product, verifiers, used = ignore, metrics, isDraining }: Parts): HttpApp {
  let document: Buffer | undefined;
  const openApi = (): Buffer => (document ??= openApiDocument(areas));
  const areas: Mounted[] = [...product, serviceArea({ platform, metrics, isDraining, openApi })];
  const app = new OpenAPIHono<HttpEnv>();
  const routes = areas.flatMap((area) => area.routes);
  const admit = admitter(authenticator(verifiers), requestLimits(platform), used);
  const intake = createIntake(platform.config.intake);
  const checkUpload = uploadThreads(platform.config.intake.uploadThreads);
  app.use('*', observe({ platform, admit, intake, checkUpload, metrics, isDraining }));
  app.use('*', limitRequests(platform.config.intake.requestsPerAddress));
  for (const area of areas) app.route('/', area.app);
  app.notFound(unmatched(routes));
  app.onError((error, c) => failWith(c, c.get('route')?.dialect ?? nearestDialect(routes, c.req.path), error));
  const parts = { platform, admit, intake, metrics, isDraining, fetch: app.fetch };
  const operations = areas.flatMap((area) => area.fast);
  const lanes = new Map(
    operations.map((operation) => [`${operation.route.method} ${operation.route.path}`, fastLane(operation, parts)]),
  );
  return { fetch: app.fetch, request: app.request, routes, lanes };
}
