/** Tries of one item before it is given up. */
export const retryLimit = 5;

/** Seconds until the next try: 5, 20, 80, 320. A report is wanted soon; a lasting fault must not keep a core busy. */
export const retryDelaySeconds = (failedAttempts: number): number => 5 * 4 ** (failedAttempts - 1);
