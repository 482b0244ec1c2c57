import type { Host } from '../run/host.ts';
import type { OutputMode } from '../run/run-options.ts';
import { classicLog } from './classic-log.ts';
import { jsonLines } from './json-lines.ts';
import { liveTable } from './live-table.ts';
import { choosePaint } from './paint.ts';
import { plainLines } from './plain-lines.ts';
import type { Renderer } from './renderer.ts';

/** People get the live table where stderr is a terminal that can move its cursor, else plain lines. */
export function chooseRenderer(host: Host, mode: OutputMode): Renderer {
  if (mode === 'json') return jsonLines(host.stdout);
  if (mode === 'classic') return classicLog(host.stdout);
  const out = choosePaint(host.env, host.stdout);
  if (host.stderr.isTTY !== true || host.env['TERM'] === 'dumb') return plainLines(host.stdout, host.stderr, out);
  return liveTable(host.stdout, host.stderr, host.clock, { out, err: choosePaint(host.env, host.stderr) });
}
