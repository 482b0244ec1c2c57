import type { Clock, OutputStream } from '../run/host.ts';
import { eventText } from './event-text.ts';
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
  paint: { out: Paint; err: Paint },
): Renderer {
  const view = emptyView();
  let drawnLines = 0;
  let drawnAt = Number.NEGATIVE_INFINITY;
  let isOpen = false;

  const erase = (): string => (drawnLines === 0 ? '' : `\u001b[${drawnLines}A\r\u001b[0J`);
  const draw = (): void => {
    const lines = liveFrame(
      view,
      clock.elapsed(),
      { columns: stderr.columns ?? 80, rows: stderr.rows ?? 24 },
      paint.err,
    );
    // One write per frame, so that no partial table is shown.
    stderr.write(`${isOpen ? '' : HIDE_CURSOR}${erase()}${lines.map((line) => `${CLEAR_LINE}${line}\n`).join('')}`);
    isOpen = true;
    drawnLines = lines.length;
    drawnAt = clock.elapsed();
  };
  const print = (text: string): void => {
    stderr.write(`${erase()}${text}\n`);
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
        stdout.write(`\n${summaryText(event, paint.out, view.links)}`);
        return;
      }
      if (event.type === 'unsaved-result') stdout.write(`${JSON.stringify(event.result)}\n`);
      if (event.type === 'notice' || event.type === 'unsaved-result') {
        const line = eventText(event);
        if (line !== null)
          print(paint.err(line.level === 'info' ? 'dim' : line.level === 'error' ? 'red' : 'yellow', line.text));
      }
      redrawWhenDue();
    },
    tick: redrawWhenDue,
    close,
  };
}
