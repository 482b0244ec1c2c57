import { DomainError } from '../../platform/errors.ts';

/** Ids are 64-bit integers; whatever else stands in a path is no job. */
export function idOf(text: string | undefined): string {
  if (text === undefined || !/^\d{1,18}$|^[1-8]\d{18}$/.test(text)) throw new DomainError('not_found', 'The page');
  return text;
}
