import { z } from 'zod';
import { bounded } from './wire.ts';

/**
 * Text by which people tell things apart: jobs, tags, applications, keys, companies, people. Trimmed and in NFC, so that two
 * which look the same are the same, whichever way they were typed; one line, in the order in which it is read.
 */
export const name = (max: number, min = 1) =>
  bounded(z.string().trim().normalize('NFC'), max, min)
    .refine(
      (value) => !NOT_IN_NAMES.test(value),
      'must not contain control characters, line breaks or characters that change the direction of writing',
    )
    .refine((value) => value === '' || VISIBLE.test(value), 'must have a character that can be seen');

/** A part of a name, to search for: in NFC, as names are stored. */
export const partOfName = (max: number, min = 0) => bounded(z.string().normalize('NFC'), max, min);

/** Line and paragraph separators, and the embeddings, overrides and isolates of UAX 9 (bidi). */
const NOT_IN_NAMES = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
const VISIBLE = /[^\p{Z}\p{Cf}\p{Cc}\p{Mn}]/u;
