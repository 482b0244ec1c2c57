/** What a probe found, or null and why. */
export type Probed<T> = { value: T; reason: null } | { value: null; reason: string };

/**
 * Runs one probe with a deadline of its own. Libraries that shell out may hang on a sick device, print nonsense or
 * throw: the inventory goes on without them and says so.
 */
export async function probe<T>(name: string, deadlineMs: number, run: () => Promise<T>): Promise<Probed<T>> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Probed<T>>((resolve) => {
    timer = setTimeout(
      () => resolve({ value: null, reason: `${name} did not answer within ${deadlineMs} ms` }),
      deadlineMs,
    );
  });
  const answer = run().then(
    (value): Probed<T> => ({ value, reason: null }),
    (error: unknown): Probed<T> => ({
      value: null,
      reason: `${name}: ${error instanceof Error ? error.message : String(error)}`,
    }),
  );
  try {
    return await Promise.race([answer, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
