import { Transform } from 'node:stream';

/**
 * Passes the runner's events on, and calls `onSilence` if none comes for `ms`. The runner ends a test that takes too long, but not
 * a file whose tests are over while its process still holds something open: such a run would never end.
 */
export class Silence extends Transform {
  private timer: NodeJS.Timeout;
  private readonly listen: () => NodeJS.Timeout;

  constructor(ms: number, onSilence: () => void) {
    super({ objectMode: true });
    this.listen = () => setTimeout(onSilence, ms);
    this.timer = this.listen();
  }

  override _transform(event: unknown, _encoding: BufferEncoding, done: () => void): void {
    clearTimeout(this.timer);
    this.timer = this.listen();
    this.push(event);
    done();
  }

  override _flush(done: () => void): void {
    clearTimeout(this.timer);
    done();
  }
}
