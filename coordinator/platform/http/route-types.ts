import type { createRoute } from '@hono/zod-openapi';
import type { z } from 'zod';
import type { AccessKind, Needs } from '../../contract/access.ts';
import type { Dialect } from '../../contract/errors.ts';

/** A `createRoute` value of the contract that states who may call it and its error dialect. */
export type Route = ReturnType<typeof createRoute> & {
  'x-access': AccessKind;
  'x-needs'?: Needs;
  'x-dialect': Dialect;
  'x-validation-dialect'?: Dialect;
  /** Bytes. */
  'x-body-limit'?: number;
};

type Part<R, Name extends string> = R extends { request: Record<Name, infer S extends z.ZodType> }
  ? z.output<S>
  : undefined;

type JsonOf<C> = C extends { content: { 'application/json': { schema: infer S extends z.ZodType } } } ? S : never;

/** Input of a handler: the validated parts of the request, typed by the route. */
export interface InputOf<R> {
  params: Part<R, 'params'>;
  query: Part<R, 'query'>;
  headers: Part<R, 'headers'>;
  body: R extends { request: { body: infer B } } ? z.output<JsonOf<B>> : undefined;
}

type ResponsesOf<R> = R extends { responses: infer T } ? T : never;

/** The part that a handler returns: the whole body, or its `data` if the dialect wraps it. */
type Payload<R, Body> = R extends { 'x-dialect': 'envelope' } ? (Body extends { data: infer D } ? D : never) : Body;

type BodyOf<R, Status> = Status extends keyof ResponsesOf<R>
  ? Payload<R, z.input<JsonOf<ResponsesOf<R>[Status]>>>
  : never;

/** Plain result of a handler: the body of status 200. */
export type OkBody<R> = BodyOf<R, 200>;

/** Body of any success status, for `reply(status, body)`. */
export type SuccessBody<R> = BodyOf<R, 200 | 201 | 202>;
