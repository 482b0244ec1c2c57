/** Tries of one item before it is given up. */
export const retryLimit = 5;

/** A second failure of one kind is final: the data is the same, so the next tries would only keep a lane from others. */
export const isSameFailure = (earlier: string | null, now: string): boolean =>
  earlier !== null && withoutFigures(earlier) === withoutFigures(now);

/** Ids, times and counts do not tell kinds apart. */
const withoutFigures = (error: string): string => error.replaceAll(/\d+(\.\d+)?/g, '#');

/** Seconds until the next try: 5, 20, 80, 320. A report is wanted soon; a lasting fault must not keep a core busy. */
export const retryDelaySeconds = (failedAttempts: number): number => 5 * 4 ** (failedAttempts - 1);

/** Until the next try of what waits for the store of files: it is nobody's fault and counts as no try. */
export const STORE_AWAY_SECONDS = 60;
/** Polls that a lane leaves out meanwhile: each item would be rendered anew, and in vain. */
export const STORE_AWAY_POLLS = 10;
