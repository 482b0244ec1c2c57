const MINUTE_SECONDS = 60;
const DAY_SECONDS = 24 * 3600;

/** How failures are answered: `free` of them without delay, then 1, 2, 4 ... seconds up to `mostSeconds` between two. */
export interface Pace {
  free: number;
  mostSeconds: number;
  /** A count begins anew this long after its first failure. */
  windowSeconds: number;
}

/**
 * Nobody is locked out: a lock is a weapon for the person who guesses. NIST SP 800-63B (5.2.2) wants at most 100 failures in a row
 * and OWASP ASVS 4.0 (2.2.1) at most 100 an hour per account; both allow growing delays and known devices instead of locks.
 * The most guesses a day that come of it: 62 by one network on one account, 184 by all unknown networks together on
 * one account (92 in the first hour), 11,000 by one network over all accounts; a test counts them.
 */
export const paces = {
  /** One account from one network; or, apart from it, one device by its cookie, so that a stolen one lets nobody guess without limit. */
  pair: { free: 5, mostSeconds: 30 * MINUTE_SECONDS, windowSeconds: DAY_SECONDS },
  device: { free: 5, mostSeconds: 30 * MINUTE_SECONDS, windowSeconds: DAY_SECONDS },
  /** One account from everywhere it is not known: bounds those who have many networks. One network alone cannot fill it. */
  account: { free: 80, mostSeconds: 15 * MINUTE_SECONDS, windowSeconds: DAY_SECONDS },
  /** All accounts from one network if they are not known. */
  network: { free: 100, mostSeconds: 10, windowSeconds: 60 * MINUTE_SECONDS },
} as const satisfies Record<string, Pace>;

/** Password links asked for by one network, for whatever addresses; what one account gets has a limit of its own. */
export const linkPace: Pace = { free: 20, mostSeconds: MINUTE_SECONDS, windowSeconds: 60 * MINUTE_SECONDS };

export type SubjectKind = keyof typeof paces;

/** Days a sign-in makes its network a known one, and the cookie it sets a known device. */
export const KNOWN_DAYS = 30;

/** Rows of the throttle that outlive a prune; those with the fewest failures go first, so a guessed account's count stays. */
export const MOST_ROWS = 100_000;
