/** The variable with the names of the pages that are to be walked, as JSON; unset: all are. */
export const STALE_PAGES = 'GPUMARK_STALE_PAGES';
