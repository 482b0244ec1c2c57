/**
 * What an error of the database means, by its code: SQLSTATEs (Postgres manual, appendix A) and, for a connection, the codes of the
 * driver and the socket. Every decision by such a code is one of these; `connection-error.ts` only words them.
 */
const kinds = {
  /** data exception: a value was refused, and another try would be refused too */
  'value refused': /^22...$/,
  /** unique_violation, duplicate_database, serialization_failure: another process has just made the same */
  'made meanwhile': /^(23505|42P04|40001)$/,
  /** lock_not_available, with `nowait` or after lock_timeout */
  locked: /^55P03$/,
  /** query_canceled, by statement_timeout */
  cancelled: /^57014$/,
  /** cannot_connect_now (it starts or stops), too_many_connections */
  'not open yet': /^(57P03|53300)$/,
  /**
   * Trouble of the database or of the way to it, which ends without us. Classes: connection, rollback such as deadlock, resources,
   * locks, operator, system. Driver and socket: CONNECTION_CLOSED, CONNECT_TIMEOUT, EAI_AGAIN, ECONNREFUSED, EPIPE.
   */
  passing: /^((08|40|53|55|57|58)...$|CONNECT|EAI_|E[A-Z]+$)/,
};

export function isDatabaseError(error: unknown, kind: keyof typeof kinds): boolean {
  return error instanceof Error && 'code' in error && kinds[kind].test(String(error.code));
}
