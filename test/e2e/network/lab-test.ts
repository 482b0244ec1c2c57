import { monitorEventLoopDelay } from 'node:perf_hooks';
import { test, type TestContext } from 'node:test';

/** A thread that wanted to run for this long and could not: links that were timed in that moment say so too. */
const STALL_MS = 50;

/**
 * A test on links that are timed. Two cores carry all nodes, the other test files, and whatever the host does beside them:
 * a failure while the machine stood still proves nothing, and is run once more. A failure in peace stands, and so
 * does the second.
 */
export function labTest(name: string, body: (t: TestContext) => Promise<void>): void {
  void test(name, async (t) => {
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    try {
      return await body(t);
    } catch (error) {
      delay.disable();
      const stalledMs = Math.round(delay.max / 1e6);
      if (stalledMs < STALL_MS) throw error;
      t.diagnostic(`run once more, since the machine stood still for ${stalledMs} ms: ${firstLine(error)}`);
    }
    return body(t);
  });
}

const firstLine = (error: unknown): string => String(error).split('\n', 1)[0] ?? '';
