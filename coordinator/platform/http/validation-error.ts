import type { z } from 'zod';
import { DomainError, type FieldIssue } from '../errors.ts';

/** A body can be wrong in thousands of places; the caller needs the first few. */
const MAX_ISSUES = 20;

const locations: Record<string, string> = { json: 'body', query: 'query', param: 'path', header: 'header' };

/** Turns a schema's issues into one domain error, which lists the fields with their paths; its message names them all. */
export function validationError(target: string, issues: readonly z.core.$ZodIssue[]): DomainError {
  const location = locations[target] ?? target;
  const fields = issues.slice(0, MAX_ISSUES).map((issue) => fieldIssue(location, issue));
  const message = fields.map((field) => `${nameOf(field.path)}: ${field.message}`).join('; ');
  return new DomainError('validation', message, { fields });
}

/** A validation error that no schema reports: in the body as a whole, in one of its fields or in a header. */
export function malformed(
  location: 'body' | 'header',
  field: string | null,
  message: string,
  type: string,
): DomainError {
  const path = field === null ? [location] : [location, field];
  return new DomainError('validation', `${nameOf(path)}: ${message}`, { fields: [{ path, message, type }] });
}

const nameOf = (path: (string | number)[]): string => (path.length > 1 ? path.slice(1) : path).join('.');

function fieldIssue(location: string, issue: z.core.$ZodIssue): FieldIssue {
  const leaf = deepest(issue);
  const path = [location, ...issue.path, ...(leaf === issue ? [] : leaf.path)].map((part) =>
    typeof part === 'symbol' ? String(part) : part,
  );
  // zod says "received undefined" for an absent field and keeps no copy of the input
  const missing = leaf.code === 'invalid_type' && leaf.message.endsWith('received undefined');
  if (missing) return { path, message: 'Field required', type: 'missing' };
  // the schema's own message says what is required
  return leaf.message.startsWith('Field required')
    ? { path, message: leaf.message, type: 'missing' }
    : { path, message: leaf.message, type: leaf.code === 'custom' ? 'value_error' : leaf.code };
}

/** For a union: the issue of a branch whose type matched, which says more than "Invalid input". */
function deepest(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1));
  const fitting = branches.find((inner) => inner.code !== 'invalid_type') ?? branches[0];
  return fitting ? deepest(fitting) : issue;
}
