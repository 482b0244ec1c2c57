/** The part of node:test's context that what is opened needs: it is closed when the test or suite is over. */
export interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

/**
 * A lifetime outside a test: what was opened last is closed first, also if the work fails. What is opened later still, by a part
 * of the work that nobody waits for any more, is closed at once.
 */
export async function withLifetime<T>(work: (lifetime: Lifetime) => Promise<T>): Promise<T> {
  const closers: (() => Promise<void>)[] = [];
  let isOver = false;
  const after = (close: () => Promise<void>): void => {
    if (isOver)
      close().catch((error: unknown) => process.stderr.write(`opened late, and not closed: ${String(error)}\n`));
    else closers.push(close);
  };
  try {
    return await work({ after });
  } finally {
    isOver = true;
    for (const close of closers.toReversed()) await close();
  }
}
