import { Transform } from 'node:stream';
import type { EventData } from 'node:test';
import { relative } from 'node:path';
import { root } from '../support/source-files.ts';

const SHOWN = 10;

type Event = { type: string; data: unknown };

/** Passes the runner's events on, and before its closing counts says which files took longest. */
export class SlowestFiles extends Transform {
  private readonly ms = new Map<string, number>();
  private said = false;

  constructor() {
    super({ objectMode: true });
  }

  override _transform(event: Event, _encoding: BufferEncoding, done: () => void): void {
    this.count(event);
    if (!this.said && isClosingCount(event)) {
      this.said = true;
      for (const line of this.lines())
        this.push({ type: 'test:diagnostic', data: { message: line, nesting: 0, level: 'info' } });
    }
    this.push(event);
    done();
  }

  /** By its tests, since files share processes. */
  private count({ type, data }: Event): void {
    if (type !== 'test:pass' && type !== 'test:fail') return;
    const { file, nesting, details } = data as EventData.TestPass;
    if (nesting === 0 && file !== undefined) this.ms.set(file, (this.ms.get(file) ?? 0) + details.duration_ms);
  }

  private lines(): string[] {
    const slowest = [...this.ms].toSorted(([, a], [, b]) => b - a).slice(0, SHOWN);
    return [
      'slowest files:',
      ...slowest.map(([file, ms]) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${relative(root, file)}`),
    ];
  }
}

/** The first of the counts that end a run; a file's own events have none. */
function isClosingCount({ type, data }: Event): boolean {
  if (type !== 'test:diagnostic') return false;
  const { message, nesting, file } = data as EventData.TestDiagnostic;
  return nesting === 0 && file === undefined && /^tests \d+$/.test(message);
}
