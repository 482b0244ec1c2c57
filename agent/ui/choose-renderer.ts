import type { Host, OutputStream } from '../run/host.ts';
import type { OutputMode } from '../run/run-options.ts';
import { classicLog } from './classic-log.ts';
import { liveTable } from './live-table.ts';
import { choosePaint } from './paint.ts';
import { plainLines } from './plain-lines.ts';
import type { Renderer } from './renderer.ts';

/** People get the live table where stderr is a terminal that can move its cursor, else plain lines. */
export function chooseRenderer(host: Host, mode: OutputMode): Renderer {
  if (mode === 'json') return jsonLines(host.stdout);
  if (mode === 'classic') return classicLog(host.stdout);
  const out = choosePaint(host.env, host.stdout);
  if (mode === 'plain' || !canRedraw(host)) return plainLines(host.stdout, host.stderr, out);
  return liveTable(host.stdout, host.stderr, host.clock, { out, err: choosePaint(host.env, host.stderr) });
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
