import { Transform } from 'node:stream';
import type { EventData } from 'node:test';
import { relative } from 'node:path';
import { root } from '../support/source-files.ts';

type Lines = { total: number; covered: number };

/** In place of the runner's table of a thousand files: one line per area, `agent` and `coordinator` in all last. */
export class CoverageByArea extends Transform {
  constructor() {
    super({ objectMode: true });
  }

  override _transform(event: { type: string; data: unknown }, _encoding: BufferEncoding, done: () => void): void {
    if (event.type === 'test:coverage') {
      for (const message of linesOf(event.data as EventData.TestCoverage))
        this.push({ type: 'test:diagnostic', data: { message, nesting: 0, level: 'info' } });
    } else {
      this.push(event);
    }
    done();
  }
}

function linesOf({ summary }: EventData.TestCoverage): string[] {
  const areas = new Map<string, Lines>();
  for (const { path, totalLineCount, coveredLineCount } of summary.files) {
    const [part = '', area = ''] = relative(root, path).split('/');
    const names = area.endsWith('.ts') ? [part] : [`${part}/${area}`, part];
    for (const name of names) {
      const lines = areas.get(name) ?? { total: 0, covered: 0 };
      areas.set(name, { total: lines.total + totalLineCount, covered: lines.covered + coveredLineCount });
    }
  }
  const rank = (name: string): string => (name.includes('/') ? `0${name}` : `1${name}`);
  return [...areas]
    .toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([name, { total, covered }]) => {
      const share = ((100 * covered) / total).toFixed(2).padStart(6);
      return `${share} % of ${String(total).padStart(6)} lines  ${name}`;
    });
}
