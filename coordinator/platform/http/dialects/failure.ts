import type { ErrorKind, FieldIssue } from '../../errors.ts';

/** Everything that can go wrong in a request: what verbs raise, and the two things only HTTP knows. */
export type FailureKind = ErrorKind | 'method_not_allowed' | 'internal';

/** A failure on its way to a dialect: all a table may look at. */
export interface Failure {
  kind: FailureKind;
  /** For the caller: names the field and the remedy, never internals. */
  message: string;
  code: string | number | undefined;
  fields: FieldIssue[];
  /** Request path, for the envelope. */
  path: string;
  /** Unix seconds, for the envelope. */
  timestamp: number;
}

export interface Rendered {
  status: number;
  body: Record<string, unknown>;
}
