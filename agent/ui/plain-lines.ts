import type { OutputStream } from '../run/host.ts';
import { eventText } from './event-text.ts';
import type { Level } from './event-text.ts';
import { foldLinks } from './link-view.ts';
import type { LinkView } from './link-view.ts';
import type { Paint } from './paint.ts';
import type { Renderer } from './renderer.ts';
import { summaryText } from './summary-text.ts';

const MARKS: Record<Level, string> = { info: '     ', warning: 'warn ', error: 'ERROR' };

/** For logs and pipes: one line per event with its time on stderr, the summary on stdout. */
export function plainLines(stdout: OutputStream, stderr: OutputStream, paint: Paint): Renderer {
  let links: LinkView | null = null;
  return {
    show(event, time) {
      if (event.type === 'links') links = foldLinks(links, event);
      if (event.type === 'summary') stdout.write(summaryText(event, paint, links));
      if (event.type === 'unsaved-result') stdout.write(`${JSON.stringify(event.result)}\n`);
      const line = eventText(event);
      if (line !== null) stderr.write(`${time.toISOString()} ${MARKS[line.level]} ${line.text}\n`);
    },
    tick: () => undefined,
    close: () => undefined,
  };
}
