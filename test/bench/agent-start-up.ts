import { execaSync } from 'execa';
import { join } from 'node:path';
import type { BenchRow } from './bench-row.ts';
import { median } from '../../coordinator/figures/statistics.ts';

const ROUNDS = 15;

/**
 * `gpumark-agent --version` compared with `node -e 0` of the Node it was built from, alternating, wall-clock
 * milliseconds.
 */
export function benchAgentStartUp(root: string): BenchRow[] {
  const agent = join(root, 'dist', 'gpumark-agent');
  const ours: number[] = [];
  const floor: number[] = [];
  // The first round loads both files into the page cache.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const pair = [timed(agent, ['--version']), timed(process.execPath, ['-e', '0'])] as const;
    if (round === 0) continue;
    ours.push(pair[0]);
    floor.push(pair[1]);
  }
  const [own, peer] = [median(ours), median(floor)];
  const note = `node -e 0, median of ${ROUNDS}`;
  return [{ name: 'agent --version', ours: own, peer, unit: 'ms', ratio: own / peer, target: { atMost: 4 }, note }];
}

function timed(command: string, options: string[]): number {
  const start = performance.now();
  execaSync(command, options);
  return performance.now() - start;
}
