import { ExitError } from '../run/exit-error.ts';
import { RunnerError } from '../kernels/runner-error.ts';

/** Converts a failure of the runner into the exit error for a failed kernel. */
export async function withRunner<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RunnerError) throw new ExitError('kernel', error.message, error.remedy, error);
    throw error;
  }
}
