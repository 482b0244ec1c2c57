import type { OutputStream } from '../run/host.ts';
import type { Renderer } from './renderer.ts';

/** `--json`: every event as one line of stdout with its time; the last line is the summary. */
export function jsonLines(stdout: OutputStream): Renderer {
  return {
    show(event, time) {
      const { type, ...rest } = event;
      stdout.write(`${JSON.stringify({ type, time: time.toISOString(), ...rest })}\n`);
    },
    tick: () => undefined,
    close: () => undefined,
  };
}
