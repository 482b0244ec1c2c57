import { z } from 'zod';

/** Largest signed 64-bit id; ids are sent as decimal strings so that no JSON reader rounds them. */
const MAX_ID = 9_223_372_036_854_775_807n;

const isId = (digits: string): boolean => {
  const id = BigInt(digits);
  return id > 0n && id <= MAX_ID;
};

/** An id as a decimal string; requests may also send a JSON integer. Internally always a string. */
export const digitsId = z
  .union([z.string().regex(/^\d{1,19}$/, 'must be an integer id of at most 19 digits'), z.int().positive()])
  .transform(String)
  .refine(isId, 'must be a positive 64-bit integer')
  .meta({ description: '64-bit id: decimal string or JSON integer', example: '1847032911563124736' });

/** An id inside a path or query, where everything is text. */
export const pathId = z
  .string()
  .regex(/^\d{1,19}$/, 'must be an integer id')
  .refine((text) => /^\d{1,19}$/.test(text) && isId(text), 'must be a positive 64-bit integer')
  .meta({ description: '64-bit id', example: '1847032911563124736' });

/** Text that Postgres and JSON can both hold: no NUL, no lone surrogate; `max` counts Unicode code points. */
export const text = (max: number, min = 0) => bounded(z.string(), max, min);

export const bounded = (schema: z.ZodString, max: number, min: number) =>
  schema
    .refine((value) => value.isWellFormed() && !value.includes('\0'), 'must be valid text without NUL characters')
    // There are never more code points than UTF-16 units, which cost nothing to count.
    .refine((value) => value.length <= max || codePoints(value) <= max, `must be at most ${max} characters`)
    .refine(
      (value) => min === 0 || codePoints(value) >= min,
      min === 1 ? 'must not be empty' : `must be at least ${min} characters`,
    )
    .meta({ minLength: min, maxLength: max });

const codePoints = (value: string): number => Array.from(value).length;

/** ISO 8601 instant with zone, as sent by the service (always UTC), within the years that Postgres and ISO 8601 share. */
export const instant = z.iso
  .datetime({
    offset: true,
    error: ({ code, input }) => (code === 'invalid_format' ? wrongInstant(String(input)) : undefined),
  })
  .refine(inFourDigitYears, 'must be within the years 0001 to 9999');

/** ISO 8601 date, YYYY-MM-DD. */
// `abort`: an impossible date is one issue, not two.
export const day = z.iso.date({ abort: true }).refine(inFourDigitYears, 'must be within the years 0001 to 9999');

const TIME = String.raw`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?`;
const noOffset = new RegExp(`${TIME}$`, 'i');
/** A `+` of a query that is not escaped is a blank. */
const blankOffset = new RegExp(`${TIME} \\d\\d:?\\d\\d$`, 'i');

function wrongInstant(text: string): string {
  if (blankOffset.test(text))
    return 'has a blank where its offset begins: in a query + is written %2B, or send UTC with Z';
  const wanted = 'an ISO 8601 instant with its offset, as 2026-11-28T12:00:00Z or 2026-11-28T12:00:00+01:00';
  return noOffset.test(text) ? `has no offset: must be ${wanted}` : `must be ${wanted}`;
}

function inFourDigitYears(value: string): boolean {
  const year = new Date(value).getUTCFullYear();
  return year >= 1 && year <= 9999;
}

/** Query-string boolean, also as Python writes it. */
export const queryFlag = z
  .stringbool({ truthy: ['true', '1'], falsy: ['false', '0'], error: 'must be true or false' })
  .meta({ type: 'boolean', description: 'true or false; True, 1, False and 0 mean the same' });

/** Query-string integer within bounds. */
export const queryInt = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d{1,15}$/, 'must be an integer')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ type: 'integer', minimum: min, maximum: max });

/** A query parameter that may be absent, with its default in the API's document too, which has no other way to know it. */
export const preset = <T extends z.ZodType>(schema: T, value: z.core.util.NoUndefined<z.output<T>>) =>
  schema.default(value).meta({ ...schema.meta(), default: value });

/** A repeated query parameter: one occurrence arrives as text, several as an array. */
export const repeated = <T extends z.ZodType>(item: T, max: number) =>
  z.preprocess((value) => (value === undefined || Array.isArray(value) ? value : [value]), z.array(item).max(max));

export const sortOrder = z.enum(['asc', 'desc']);
