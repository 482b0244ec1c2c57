import type { Host, OutputStream } from '../run/host.ts';
import type { OutputMode } from '../run/run-options.ts';
import { classicLog } from './classic-log.ts';
import { liveTable } from './live-table.ts';
import { choosePaint, type Paint } from './paint.ts';
import type { Renderer } from './renderer.ts';
import { eventTexts, type Level } from './event-text.ts';
import { foldLinks, type LinkView } from './link-view.ts';
import { summaryText } from './summary-text.ts';

/** People get the live table if stderr is a terminal that can move its cursor, else plain lines. */
export function chooseRenderer(host: Host, mode: OutputMode, verbose = false): Renderer {
  if (mode === 'json') return jsonLines(host.stdout);
  if (mode === 'classic') return classicLog(host.stdout);
  const out = choosePaint(host.env, host.stdout);
  if (mode === 'plain' || !canRedraw(host)) return plainLines(host.stdout, host.stderr, { out, verbose });
  return liveTable(host.stdout, host.stderr, host.clock, { out, err: choosePaint(host.env, host.stderr), verbose });
}

/** Whether the live table can be drawn over itself. */
export const canRedraw = (host: Pick<Host, 'stderr' | 'env'>): boolean =>
  host.stderr.isTTY === true && host.env['TERM'] !== 'dumb';

/** `--output json`: every event as one line of stdout with its time; the last line is the summary. */
function jsonLines(stdout: OutputStream): Renderer {
  return {
    show(event, time) {
      const { type, ...rest } = event;
      stdout.write(`${JSON.stringify({ type, time: time.toISOString(), ...rest })}\n`);
    },
    tick: () => undefined,
    close: () => undefined,
  };
}

const MARKS: Record<Level, string> = { info: '     ', warning: 'warn ', error: 'ERROR' };

/** For logs and pipes: one line per event with its time on stderr, the summary on stdout. */
function plainLines(
  stdout: OutputStream,
  stderr: OutputStream,
  { out, verbose }: { out: Paint; verbose: boolean },
): Renderer {
  let links: LinkView | null = null;
  const textOf = eventTexts();
  return {
    show(event, time) {
      if (event.type === 'links') links = foldLinks(links, event);
      if (event.type === 'summary') stdout.write(summaryText(event, out, { verbose, links }));
      if (event.type === 'unsaved-result') stdout.write(`${JSON.stringify(event.result)}\n`);
      const line = textOf(event);
      if (line !== null) stderr.write(`${time.toISOString()} ${MARKS[line.level]} ${line.text}\n`);
    },
    tick: () => undefined,
    close: () => undefined,
  };
}
