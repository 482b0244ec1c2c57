import type { Edges } from './edges.ts';

const EVERY_MS = 200;
const MB = 1e6;

export interface ProgressLine {
  show: (bytes: number, size: number | null) => void;
  /** before something else is written */
  clear: () => void;
}

/** How far a long read is, on one line of a terminal that is written over; nothing where stderr is none. */
export function progressLine({ stderr, now }: Edges, what: string): ProgressLine {
  const isTerminal = 'isTTY' in stderr && stderr.isTTY === true;
  let shownAt = 0;
  const name = what.length > 40 ? `…${what.slice(-39)}` : what;
  return {
    show: (bytes, size) => {
      const time = now().getTime();
      if (!isTerminal || time - shownAt < EVERY_MS) return;
      shownAt = time;
      const share = size === null ? '' : ` of ${(size / MB).toFixed(1)} (${Math.floor((100 * bytes) / size)} %)`;
      stderr.write(`\r\u001b[2K${name}: ${(bytes / MB).toFixed(1)}${share} MB`);
    },
    clear: () => void (isTerminal && shownAt > 0 && stderr.write('\r\u001b[2K')),
  };
}
