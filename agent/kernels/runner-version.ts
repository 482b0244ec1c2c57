import { execa } from 'execa';
import { z } from 'zod';
import { RunnerError } from './runner-error.ts';
import { startFailure } from './start-failure.ts';

const runnerVersion = z.object({
  name: z.literal('gpumark-runner'),
  revision: z.string(),
  protocol: z.string(),
  compiler: z.string(),
  arch: z.string(),
  isa: z.array(z.string()),
});
type RunnerVersion = z.infer<typeof runnerVersion>;

/**
 * The runner's version and build.
 * @throws RunnerError crashed if it cannot be run or prints something else
 */
export async function readRunnerVersion(runnerPath: string): Promise<RunnerVersion> {
  try {
    const { stdout } = await execa(runnerPath, ['--version'], { timeout: 10_000, maxBuffer: 10_000, stdin: 'ignore' });
    return runnerVersion.parse(JSON.parse(stdout));
  } catch (cause) {
    const limit = startFailure(cause);
    if (limit !== null) throw limit;
    throw new RunnerError(
      'crashed',
      `the runner ${runnerPath} does not report its version`,
      'Build it with make native, or reinstall the agent.',
      cause,
    );
  }
}
