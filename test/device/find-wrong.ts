import type { Round } from './measure-rounds.ts';
import type { RunnerRecord } from './runner-record.ts';

const wrongCodes: ReadonlySet<string> = new Set(['verification_failed', 'self_test_failed']);

/** Every result that was found wrong, in words that name device and kernel; empty when all were right. */
export function findWrong(selfTests: readonly RunnerRecord[], rounds: readonly Round[]): string[] {
  const runs: [string, RunnerRecord][] = [
    ...selfTests.map((test): [string, RunnerRecord] => ['self-test', test]),
    ...rounds.flatMap(({ round, turns, together, matrices }) =>
      [...turns.map((turn) => turn.run), ...(together === null ? [] : [together]), ...matrices].map(
        (run): [string, RunnerRecord] => [`round ${round}`, run],
      ),
    ),
  ];
  const found = runs.flatMap(([when, run]) => {
    const said = run.errors
      .filter((error) => wrongCodes.has(error.code))
      .map((error) => `${error.device_id ?? 'no device'}: ${error.message} (${when})`);
    const figures = run.results
      .filter((result) => result.verified === false)
      .map((result) => `${result.device_id}: ${result.benchmark} ${result.metric} is wrong (${when})`);
    const cells = run.cells
      .filter((cell) => cell.verified === false)
      .map((cell) => `${cell.source_device_id}: copy to ${cell.target_device_id} is wrong (${when})`);
    const all = [...said, ...figures, ...cells];
    return run.exit_code === 6 && all.length === 0 ? [`the runner ended with exit code 6 (${when})`] : all;
  });
  return [...new Set(found)];
}
