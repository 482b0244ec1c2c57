import { runRunner } from './run-runner.ts';

/** The test itself takes under 3 s; the rest is a margin for a busy machine. */
const selfTestDeadlineSeconds = 60;

interface SelfTestOutcome {
  passed: boolean;
  /** one sentence per wrong kernel, or per reason why nothing could be tested */
  problems: string[];
}

/**
 * Checks the runner's kernels for one device or backend ("cpu", "cuda", "rocm", or a device id) against float64 references.
 * @throws RunnerError
 */
export async function selfTest(runnerPath: string, device: string): Promise<SelfTestOutcome> {
  const problems: string[] = [];
  let exitCode: number | null = null;
  const args = ['self-test', '--device', device];
  for await (const event of runRunner({ path: runnerPath, args, deadline_seconds: selfTestDeadlineSeconds })) {
    if (event.event === 'error') problems.push(event.message);
    if (event.event === 'summary') exitCode = event.exit_code;
  }
  return { passed: exitCode === 0, problems };
}
