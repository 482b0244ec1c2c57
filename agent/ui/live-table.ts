import type { Clock, OutputStream } from '../run/host.ts';
import { eventTexts } from './event-text.ts';
import { liveFrame } from './live-frame.ts';
import type { Paint } from './paint.ts';
import type { Renderer } from './renderer.ts';
import { emptyView, updateView } from './run-view.ts';
import { summaryText } from './summary-text.ts';

/** Milliseconds between two redraws: at most ten a second. */
const REDRAW_MS = 100;
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
const CLEAR_LINE = '\u001b[2K';

/** For a terminal: a table on stderr that is redrawn in place, notices above it, the summary on stdout at the end. */
export function liveTable(
  stdout: OutputStream,
  stderr: OutputStream,
  clock: Clock,
  { verbose, ...paint }: { out: Paint; err: Paint; verbose: boolean },
): Renderer {
  const view = emptyView();
  let drawnLines = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;
  const textOf = eventTexts();

  // A terminal whose size is not known reports 0.
  const size = (): { columns: number; rows: number } => ({ columns: stderr.columns || 80, rows: stderr.rows || 24 });
  /** To the table's first line. Lines of a table that were pushed out of a terminal made lower are not reached. */
  const up = (lines: number): string =>
    lines === 0 ? '' : `\u001b[${Math.min(lines, Math.max(1, size().rows - 1))}A\r`;
  /**
   * Blanks these lines one by one and returns to the first: tmux keeps a copy of a screen that is cleared as a whole
   * from its first line.
   */
  const blank = (lines: number): string => `${CLEAR_LINE}\n`.repeat(lines) + up(lines);
  const draw = (): void => {
    const lines = liveFrame(view, clock.elapsed(), size(), paint.err);
    const left = Math.max(0, drawnLines - lines.length);
    // One write per frame, so that no partial table is shown.
    const text = lines.map((line) => `${CLEAR_LINE}${line}\n`).join('');
    stderr.write(`${isOpen ? '' : HIDE_CURSOR}${up(drawnLines)}${text}${blank(left)}`);
    isOpen = true;
    drawnLines = lines.length;
    drawnAt = clock.elapsed();
  };
  const erase = (): void => {
    if (drawnLines > 0) stderr.write(up(drawnLines) + blank(drawnLines));
    drawnLines = 0;
    drawnAt = Number.NEGATIVE_INFINITY;
  };
  const close = (): void => {
    if (!isOpen) return;
    isOpen = false;
    stderr.write(SHOW_CURSOR);
  };
  const redrawWhenDue = (): void => {
    if (clock.elapsed() - drawnAt >= REDRAW_MS) draw();
  };
  return {
    show(event) {
      updateView(view, event, clock.elapsed());
      if (event.type === 'summary') {
        draw();
        close();
        stdout.write(`\n${summaryText(event, paint.out, { verbose, links: view.links })}`);
        return;
      }
      if (event.type === 'notice' || event.type === 'unsaved-result') {
        erase();
        if (event.type === 'unsaved-result') stdout.write(`${JSON.stringify(event.result)}\n`);
        const line = textOf(event);
        const style = line?.level === 'info' ? 'dim' : line?.level === 'error' ? 'red' : 'yellow';
        if (line !== null) stderr.write(`${paint.err(style, line.text)}\n`);
      }
      redrawWhenDue();
    },
    tick: redrawWhenDue,
    close,
  };
}
