import type { Context } from '../context.ts';
import { updateEtag } from './queries.ts';

/** What lies at an address was read to its end, all of its files: under this ETag it needs not be sent again. */
export const rememberEtag = (
  { sql }: Context,
  place: { source: string; scope: string | null; origin: string; etag: string },
): Promise<void> => updateEtag(sql, place);
