/** The part of node:test's context that what is opened needs: it is closed when the test or suite is over. */
export interface Lifetime {
  after: (done: () => Promise<void>) => void;
}

/** A lifetime outside a test: what was opened last is closed first, also if the work fails. */
export async function withLifetime<T>(work: (lifetime: Lifetime) => Promise<T>): Promise<T> {
  const closers: (() => Promise<void>)[] = [];
  try {
    return await work({ after: (close) => void closers.push(close) });
  } finally {
    for (const close of closers.toReversed()) await close();
  }
}
