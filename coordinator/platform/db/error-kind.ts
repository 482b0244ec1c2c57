/**
 * Classifies errors of the database by their code: SQLSTATEs (Postgres manual, appendix A) and, for a connection, codes of the
 * driver and the socket. All decisions based on such a code are here; `connection-error.ts` only phrases messages.
 */
const kinds = {
  /** data exception: a value was rejected, and would be rejected again on a retry */
  'value refused': /^22...$/,
  /** unique_violation, duplicate_database, serialization_failure: another process has just created the same row or object */
  'made meanwhile': /^(23505|42P04|40001)$/,
  /** lock_not_available, with `nowait` or after lock_timeout */
  locked: /^55P03$/,
  /** query_canceled, by statement_timeout */
  cancelled: /^57014$/,
  /** cannot_connect_now (starting or stopping), too_many_connections */
  'not open yet': /^(57P03|53300)$/,
  /**
   * Temporary failures of the database or of the connection to it. Classes: connection, rollback such as deadlock, resources,
   * locks, operator, system. Driver and socket: CONNECTION_CLOSED, CONNECT_TIMEOUT, EAI_AGAIN, ECONNREFUSED, EPIPE.
   */
  passing: /^((08|40|53|55|57|58)...$|CONNECT|EAI_|E[A-Z]+$)/,
};

export function isDatabaseError(error: unknown, kind: keyof typeof kinds): boolean {
  return error instanceof Error && 'code' in error && kinds[kind].test(String(error.code));
}
