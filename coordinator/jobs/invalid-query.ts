import { DomainError } from '../platform/errors.ts';

/** A query parameter is wrong for a reason no schema can state. */
export const invalidQuery = (name: string, message: string): DomainError =>
  new DomainError('validation', `${name} ${message}`, {
    fields: [{ path: ['query', name], message, type: 'value_error' }],
  });
