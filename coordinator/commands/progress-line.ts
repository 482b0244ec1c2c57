import { oneLine } from '../ingest/reading/source-error.ts';
import type { Edges } from './edges.ts';

const EVERY_MS = 200;
const MB = 1e6;
/** Columns for the name; with figures up to 99 GB the line fits the 80 columns of a terminal. */
const NAME_COLUMNS = 40;
const ERASE = '\r\u001b[2K';

interface ProgressLine {
  show: (bytes: number, size: number | null) => void;
  /** to be called before anything else is written */
  clear: () => void;
}

/** Progress of a long read on one terminal line, which is overwritten; nothing if stderr is not a terminal. */
export function progressLine({ stderr, now }: Pick<Edges, 'stderr' | 'now'>, what: string): ProgressLine {
  const isTerminal = stderr.isTTY === true;
  const name = endOf(oneLine(what));
  let shownAt = -Infinity;
  let isShown = false;
  return {
    show: (bytes, size) => {
      const time = now().getTime();
      if (!isTerminal || time - shownAt < EVERY_MS) return;
      shownAt = time;
      isShown = true;
      const done = (bytes / MB).toFixed(1);
      const share = size === null ? '' : ` (${Math.floor((100 * bytes) / size)} %)`;
      stderr.write(`${ERASE}${name}: ${done}${size === null ? '' : ` of ${(size / MB).toFixed(1)}`} MB${share}`);
    },
    clear: () => {
      if (isShown) stderr.write(ERASE);
      isShown = false;
    },
  };
}

/** The end of a path distinguishes files. Characters from U+1100 on, including Chinese, count as two columns wide. */
function endOf(name: string): string {
  const letters = Array.from(name);
  const widths = letters.map((letter) => ((letter.codePointAt(0) ?? 0) < 0x1100 ? 1 : 2));
  let columns = widths.reduce((sum, width) => sum + width, 0);
  if (columns <= NAME_COLUMNS) return name;
  let from = 0;
  for (; columns > NAME_COLUMNS - 1; from += 1) columns -= widths[from] ?? 0;
  return `…${letters.slice(from).join('')}`;
}
