import { detailBody, envelopeErrorBody, errorBody } from '../../contract/errors.ts';
import { json } from '../../contract/operation.ts';
import type { BoundRoute } from './http-env.ts';
import type { Route } from './route-types.ts';

const bodies = { error: errorBody, detail: detailBody, envelope: envelopeErrorBody };

/** The route as the OpenAPI document shows it: with the answers that the platform, not the verb, may give. */
export function documented(route: Route, bound: BoundRoute): Route {
  const body = bodies[bound.dialect];
  const tooLarge = { 413: json(body, `The body is larger than ${bound.bodyLimit} bytes`) };
  const internal = { 500: json(body, 'Internal error; the message holds a request id to quote') };
  return { ...route, responses: { ...(bound.takesBody ? tooLarge : {}), ...internal, ...route.responses } };
}
