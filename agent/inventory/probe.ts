/** The value found by a probe, or null with the reason. */
export type Probed<T> = { value: T; reason: null } | { value: null; reason: string };

/**
 * Runs one probe with its own timeout. Libraries that run programs may hang on a faulty device, print nonsense or
 * throw: the inventory continues without them and records the reason.
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
