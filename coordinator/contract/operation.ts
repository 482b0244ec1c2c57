import type { z } from '@hono/zod-openapi';
import type { Dialect } from './errors.ts';

/** A JSON response of an operation. */
export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
});

/** A JSON request body; an absent body is an error unless `required` is false. */
export const jsonBody = <T extends z.ZodType, R extends boolean = true>(schema: T, required?: R) => ({
  body: { content: { 'application/json': { schema } }, required: (required ?? true) as R },
});

/** The area's heading in the API page and the dialect its errors are rendered in. */
export const speaks = <D extends Dialect>(dialect: D, heading: string) => ({
  'x-dialect': dialect,
  tags: [heading],
});
