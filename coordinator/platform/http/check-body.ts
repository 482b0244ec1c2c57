import type { z } from 'zod';
import { DomainError } from '../errors.ts';
import { boundsOf } from './json-bounds.ts';
import { parseJson } from './parse-json.ts';
import { malformed, validationError } from './validation-error.ts';

/** The bytes of a body -> what the schema makes of it. Throws a validation error; `limit` is the route's, in bytes. */
export function checkBody(schema: z.ZodType, bytes: Uint8Array, limit: number): unknown {
  return checkValue(schema, bytes.length === 0 ? {} : parseJson(bytes, boundsOf(limit)));
}

function checkValue(schema: z.ZodType, value: unknown): unknown {
  let checked;
  try {
    checked = schema.safeParse(value);
  } catch (error) {
    if (error instanceof DomainError) throw error;
    // zod gathers issues by spreading them into a call, which more than a stack's worth of wrong entries overflows.
    if (error instanceof RangeError) throw malformed('body', null, 'is wrong in too many places to list', 'too_big');
    throw error;
  }
  if (!checked.success) throw validationError('json', checked.error.issues);
  return checked.data;
}
