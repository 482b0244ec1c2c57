import { OpenAPIHono } from '@hono/zod-openapi';
import type { Area } from '../area.ts';
import { detailBody, envelopeErrorBody, errorBody } from '../../../contract/errors.ts';
import { json } from '../../../contract/operation.ts';
import type { BoundRoute } from '../http-env.ts';
import type { Route } from '../route-types.ts';

const description = `Benchmarks of GPU machines, and the market, carbon, token-price and prediction data around them.
Ids are 64-bit integers written as decimal strings. Every operation names who may call it in \`x-access\` and the
shape of its errors in \`x-dialect\`; \`x-choice\` marks what is additional.`;

/** The OpenAPI 3.1 document of all areas, as the bytes to serve. Building it takes a while, so do it once per process. */
export function openApiDocument(areas: readonly Pick<Area, 'app'>[]): Buffer {
  const merged = new OpenAPIHono();
  for (const area of areas) merged.route('/', area.app);
  merged.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'The id_token of a login, an application token, an API key or a job token, as `x-access` says.',
  });
  const document = merged.getOpenAPI31Document({
    openapi: '3.1.0',
    servers: [{ url: '/' }],
    info: {
      title: 'gpumark',
      version: '1.0.0',
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
  });
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
}

const bodies = { error: errorBody, detail: detailBody, envelope: envelopeErrorBody };

/** The route as documented: with the answers that the platform, rather than the verb, can give. */
export function documented(route: Route, bound: BoundRoute): Route {
  const body = bodies[bound.dialect];
  const ofBodies = {
    408: json(body, 'The body arrives too slowly'),
    413: json(body, `The body is larger than ${bound.bodyLimit} bytes`),
    415: json(body, 'The body has a Content-Encoding'),
  };
  const ofAll = {
    429: json(body, 'Too many requests, in a minute or at once; Retry-After says when'),
    503: json(body, 'Too much is being received, or the service is not ready; Retry-After says when'),
  };
  const internal = { 500: json(body, 'Internal error; the message holds a request id to quote') };
  return { ...route, responses: { ...(bound.takesBody ? ofBodies : {}), ...ofAll, ...internal, ...route.responses } };
}
