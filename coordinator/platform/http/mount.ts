import type { IncomingMessage, ServerResponse } from 'node:http';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { Platform } from '../context.ts';
import { requestLimits } from '../limits/request-limits.ts';
import type { Area, Operation } from './area.ts';
import { admitter, authenticator, type Admit, type HearUse, type Verifier } from './auth/admit.ts';
import type { BoundRoute, HttpEnv } from './http-env.ts';
import { clientReader, type ReadClient } from './clients.ts';
import { createIntake, type Intake } from './intake.ts';
import { limitRequests, unansweredRequests, type UnansweredRequests } from './connections.ts';
import { type Metrics, observe } from './observe.ts';
import { failWith } from './render-failure.ts';
import { openApiDocument } from './service/openapi-document.ts';
import { serviceArea } from './service/service-area.ts';
import { type MissingPage, nearestDialect, unmatched } from './unmatched.ts';
import { uploadThreads } from './upload-threads.ts';

export interface HttpApp {
  fetch: OpenAPIHono<HttpEnv>['fetch'];
  /** In-process request, for tests. */
  request: OpenAPIHono<HttpEnv>['request'];
  /** All operations served, for the access test. */
  routes: readonly BoundRoute[];
  operations: readonly Operation[];
  gates: Gates;
  /** Called before the router. Takes the request and returns true, or returns false and leaves it untouched. */
  first?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** Admission and counting of requests, shared by the router and the fast lane. */
export interface Gates {
  platform: Platform;
  admit: Admit;
  intake: Intake;
  unanswered: UnansweredRequests;
  readClient: ReadClient;
  metrics: Metrics;
  isDraining: () => boolean;
}

/** The mounted parts of an area. At most one area has a page for browsers that request an unknown address. */
export type Mounted = Pick<Area, 'app' | 'operations'> & { missingPage?: MissingPage };

interface Parts {
  platform: Platform;
  areas: readonly Mounted[];
  verifiers: readonly Verifier[];
  used?: HearUse;
  metrics: Metrics;
  isDraining: () => boolean;
}

const ignore: HearUse = () => undefined;

/**
 * HEAD is answered by the route of GET, whose body nobody reads: what it holds, such as a file or a place among the live
 * pages, is given back here. A range is defined for GET alone (RFC 9110, 14.2).
 */
const answerHead: MiddlewareHandler<HttpEnv> = async (c, next) => {
  if (c.req.method !== 'HEAD') return next();
  c.req.raw.headers.delete('range');
  await next();
  await c.res.body?.cancel();
};

/** All areas and the service's own operations behind one router, with the middleware for every request. */
export function mount(parts: Parts): HttpApp {
  const { platform, areas: product, verifiers, used = ignore, metrics, isDraining } = parts;
  let document: Buffer | undefined;
  const openApi = (): Buffer => (document ??= openApiDocument(areas));
  const areas: Mounted[] = [...product, serviceArea({ platform, metrics, isDraining, openApi })];
  const app = new OpenAPIHono<HttpEnv>();
  const operations = areas.flatMap((area) => area.operations);
  const routes = operations.map(({ route }) => route);
  const admit = admitter(authenticator(verifiers), requestLimits(platform), used);
  const readClient = clientReader(platform, metrics);
  const intake = createIntake(platform.config.intake);
  const checkUpload = uploadThreads(platform.config.intake.uploadThreads);
  app.use('*', observe({ platform, admit, intake, checkUpload, readClient, metrics, isDraining }));
  app.use('*', answerHead);
  const unanswered = unansweredRequests(platform.config.intake.requestsPerAddress);
  app.use('*', limitRequests(unanswered));
  for (const area of areas) app.route('/', area.app);
  app.notFound(unmatched(routes, product.find(({ missingPage }) => missingPage !== undefined)?.missingPage));
  app.onError((error, c) => failWith(c, c.get('route')?.dialect ?? nearestDialect(routes, c.req.path), error));
  const gates = { platform, admit, intake, unanswered, readClient, metrics, isDraining };
  return { fetch: app.fetch, request: app.request, routes, operations, gates };
}
