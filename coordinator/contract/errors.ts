import { z } from 'zod';

/** The three error dialects of the interface; every operation names the one it speaks in `x-dialect`. */
export type Dialect = 'envelope' | 'detail' | 'error';

/** Dialect `error`: benchmark jobs, tasks and the agent protocol. */
export const errorBody = z
  .object({ error: z.object({ code: z.string(), message: z.string() }) })
  .meta({ id: 'ErrorBody' });

/** Dialect `detail`: one entry per offending field. */
export const detailBody = z
  .object({
    detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })),
  })
  .meta({ id: 'DetailBody' });

/** The wrapper around every success and error of the `envelope` dialect. */
const envelopeMeta = z
  .object({
    code: z.int(),
    url: z.string(),
    message: z.string(),
    timestamp: z.int(),
    args: z.array(z.unknown()).optional(),
    kwargs: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ id: 'EnvelopeMeta' });

export const envelopeOf = <T extends z.ZodType>(data: T) => z.object({ meta: envelopeMeta, data });

export const envelopeErrorBody = z
  .object({ meta: envelopeMeta, data: z.union([z.object({}), z.string(), z.null()]) })
  .meta({ id: 'EnvelopeErrorBody' });
