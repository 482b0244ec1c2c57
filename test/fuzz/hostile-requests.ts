import { openSite } from '../attack/site.ts';
import { MOST_MS, runHostileRequests, type FuzzReport } from './hostile-requests/run.ts';

/**
 * Hostile requests over every operation: no 5xx that is not documented, no answer after two seconds, memory flat. SEED= and
 * STEPS=; a step alone is drawn again from the seed and its number.
 */
const SEED = process.env['SEED'] ?? 'hostile requests';
const STEPS = Number(process.env['STEPS'] ?? 200_000);
/** The process may hold this much, and from the middle to the end grow by this much. */
const MOST_MEMORY_MIB = 1024;
const MOST_GROWTH = 1.3;

const site = await openSite({ short: false });
try {
  const report = await runHostileRequests(site, SEED, STEPS);
  const broken = [...report.broken, ...memorySentences(report)];
  show({ ...report, broken });
  process.exitCode = broken.length === 0 ? 0 : 8;
} finally {
  await site.close();
}

function memorySentences({ memory_mib }: FuzzReport): string[] {
  const [middle, last] = [memory_mib[Math.floor(memory_mib.length / 2)] ?? 0, memory_mib.at(-1) ?? 0];
  const most = Math.max(...memory_mib);
  return [
    ...(most > MOST_MEMORY_MIB ? [`${most} MiB of memory`] : []),
    ...(last > middle * MOST_GROWTH ? [`memory grew from ${middle} to ${last} MiB in the second half`] : []),
  ];
}

function show(report: FuzzReport): void {
  const { seed, steps, operations, answers, unanswered, slowest_ms, memory_mib, seconds, broken } = report;
  const lines = [
    `${steps} requests over ${operations} operations, seed "${seed}", ${seconds} s`,
    `answers       ${Object.entries(answers)
      .map(([status, count]) => `${status}: ${count}`)
      .join('  ')}  none (half bodies, wrong framing): ${unanswered}`,
    `slowest       ${slowest_ms} ms, at most ${MOST_MS}`,
    `memory        ${memory_mib.join(' ')} MiB, at most ${MOST_MEMORY_MIB} and ${MOST_GROWTH} times the middle`,
    ...broken.map((sentence) => `BROKEN        ${sentence}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  process.stdout.write(
    `${JSON.stringify({ schema: 'gpumark.hostile-requests/1', ok: broken.length === 0, ...report })}\n`,
  );
}
