const KIB = 1024;

/**
 * Most bytes of a body, by its content; every operation with a body states one of these in `x-body-limit`. The most values
 * that it can hold follow from the limit (platform/http/scan-json.ts).
 */
export const bodyLimit = {
  /** an e-mail address or token and a password of 1024 characters of up to 12 bytes each in JSON; anybody can send it */
  login: 16 * KIB,
  /** two such passwords */
  passwords: 32 * KIB,
  /** a few ids, figures or choices */
  small: 4 * KIB,
  /** lists of filters */
  query: 16 * KIB,
  /** texts and settings written by a person or a machine */
  form: 64 * KIB,
  /** a hundred warnings of 500 characters */
  warnings: 256 * KIB,
  /** the inventory of a machine under test, in its owner's own format */
  inventory: 1024 * KIB,
  /** 600 link reports with all their rails */
  report: 4096 * KIB,
  /** inventory and results of a machine with 64 devices stay far below */
  upload: 8192 * KIB,
} as const;

/** Bytes. Larger bodies are parsed and checked on a worker thread; smaller ones are cheaper to check on the main thread. */
export const LARGE_BODY = bodyLimit.form;
