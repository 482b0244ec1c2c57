const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 3600;

/** How failures are answered: `free` of them without delay, then 1, 2, 4 ... seconds up to `mostSeconds` between two. */
export interface Pace {
  free: number;
  mostSeconds: number;
  /** A count restarts this long after its first failure. */
  windowSeconds: number;
}

/**
 * No account is ever locked, since anybody who guesses could then lock out its owner. NIST SP 800-63B (5.2.2) wants at most 100
 * failures in a row and OWASP ASVS 4.0 (2.2.1) at most 100 an hour per account; both allow growing delays and known devices
 * instead of locks. The resulting maximum of guesses a day: 62 by one network on one account, 184 by all unknown networks
 * together on one account (92 in the first hour), 11,000 by one network over all accounts; a test counts them.
 */
export const paces = {
  /**
   * One account from one network or, counted separately, one device by its cookie, so that a stolen cookie does not allow
   * unlimited guesses.
   */
  pair: { free: 5, mostSeconds: 30 * MINUTE_SECONDS, windowSeconds: DAY_SECONDS },
  device: { free: 5, mostSeconds: 30 * MINUTE_SECONDS, windowSeconds: DAY_SECONDS },
  /** One account from all networks not known for it: bounds attackers with many networks. One network alone cannot fill it. */
  account: { free: 80, mostSeconds: 15 * MINUTE_SECONDS, windowSeconds: DAY_SECONDS },
  /** All accounts from one network, as far as it is not known for them. */
  network: { free: 100, mostSeconds: 10, windowSeconds: 60 * MINUTE_SECONDS },
} as const satisfies Record<string, Pace>;

/** Password links requested by one network, for any addresses; the links of one account have their own limit. */
export const linkPace: Pace = { free: 20, mostSeconds: MINUTE_SECONDS, windowSeconds: 60 * MINUTE_SECONDS };

export type SubjectKind = keyof typeof paces;

/** Days that a sign-in makes its network known, and its cookie a known device. */
export const KNOWN_DAYS = 30;

/** Rows of the throttle that a prune keeps; those with the fewest failures go first, so an attacked account keeps its count. */
export const MOST_ROWS = 100_000;
