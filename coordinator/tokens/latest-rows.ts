import type { BookRow, PulseRow } from '../contract/token-prices.ts';
import type { Results } from './data-view.ts';
import type { HotTokens } from './hot-tokens.ts';
import { pulseRowOf } from './pulse-row.ts';

/** Of sample data. */
const MOST = 20;

/** The first rows of the newest day's price book, and how many it has. */
export const latestBook = ({ book }: HotTokens): Results<BookRow> => ({
  total: book.length,
  results: book.slice(0, MOST),
});

/** The same of the market pulse. */
export const latestPulse = ({ newestPulse }: HotTokens): Results<PulseRow> => ({
  total: newestPulse.length,
  results: newestPulse.slice(0, MOST).map(pulseRowOf),
});
