import type { OutputStream } from '../run/host.ts';
import { classicTaskDetail } from './classic-task-detail.ts';
import { eventTexts } from './event-text.ts';
import type { Level } from './event-text.ts';
import type { Renderer } from './renderer.ts';
import type { EventOf } from '../run/run-event.ts';

const LEVELS: Record<Level, string> = { info: 'INFO', warning: 'WARN', error: 'ERROR' };

/**
 * `--output classic`, all on stdout: first `Trace ID: <32 hex>`, then one JSON object per line (time, level, msg), last
 * the task's detail as one indented JSON document. Its first line is the only one that is just `{`, which is how
 * readers of this format find it.
 */
export function classicLog(stdout: OutputStream): Renderer {
  const seen: { inventory: EventOf<'inventory'> | null; measurements: EventOf<'measurement'>[]; start: Date | null } = {
    inventory: null,
    measurements: [],
    start: null,
  };
  const textOf = eventTexts();
  return {
    show(event, time) {
      if (event.type === 'run') {
        seen.start = time;
        stdout.write(`Trace ID: ${event.trace_id}\n`);
      }
      if (event.type === 'inventory') seen.inventory = event;
      if (event.type === 'measurement') seen.measurements.push(event);
      const line = textOf(event);
      if (line !== null)
        stdout.write(`${JSON.stringify({ time: time.toISOString(), level: LEVELS[line.level], msg: line.text })}\n`);
      if (event.type !== 'summary') return;
      if (event.error !== null) {
        const msg = event.error.remedy === null ? event.error.message : `${event.error.message}. ${event.error.remedy}`;
        stdout.write(`${JSON.stringify({ time: time.toISOString(), level: 'ERROR', msg })}\n`);
      }
      const detail = classicTaskDetail(
        event,
        seen.inventory?.inventory ?? null,
        seen.measurements,
        seen.start ?? time,
        time,
      );
      stdout.write(`${JSON.stringify(detail, null, 2)}\n`);
    },
    tick: () => undefined,
    close: () => undefined,
  };
}
