import { detailBody, envelopeErrorBody, errorBody } from '../../contract/errors.ts';
import { json } from '../../contract/operation.ts';
import type { BoundRoute } from './http-env.ts';
import type { Route } from './route-types.ts';

const bodies = { error: errorBody, detail: detailBody, envelope: envelopeErrorBody };

/** The route as the OpenAPI document shows it: with the answers that the platform, not the verb, may give. */
export function documented(route: Route, bound: BoundRoute): Route {
  const body = bodies[bound.dialect];
  const ofBodies = {
    408: json(body, 'The body arrives too slowly'),
    413: json(body, `The body is larger than ${bound.bodyLimit} bytes`),
  };
  const ofAll = {
    429: json(body, 'Too many requests, in a minute or at once; Retry-After says when'),
    503: json(body, 'Too much is being received, or the service is not ready; Retry-After says when'),
  };
  const internal = { 500: json(body, 'Internal error; the message holds a request id to quote') };
  return { ...route, responses: { ...(bound.takesBody ? ofBodies : {}), ...ofAll, ...internal, ...route.responses } };
}
