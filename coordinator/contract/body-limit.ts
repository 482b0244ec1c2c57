const KIB = 1024;

/**
 * Bytes that a body may have, by what it carries; every operation with a body states one of them in `x-body-limit`. How
 * many values it may hold follows from that (platform/http/scan-json.ts).
 */
export const bodyLimit = {
  /** an address or token and a password of 1024 characters, each of which JSON may write as 12 bytes; from anybody at all */
  login: 16 * KIB,
  /** two such passwords */
  passwords: 32 * KIB,
  /** a few ids, figures or choices */
  small: 4 * KIB,
  /** lists of filters */
  query: 16 * KIB,
  /** texts and settings that a person or a machine writes */
  form: 64 * KIB,
  /** a hundred warnings of 500 characters */
  warnings: 256 * KIB,
  /** the inventory of a machine under test, as its owner keeps it */
  inventory: 1024 * KIB,
  /** 600 reports with all their rails */
  report: 4096 * KIB,
  /** inventory and results of a machine with 64 devices stay far below */
  upload: 8192 * KIB,
} as const;

/** Bytes. Larger bodies are parsed and checked by a thread of their own; below that it costs less to do it at once. */
export const LARGE_BODY = bodyLimit.form;
