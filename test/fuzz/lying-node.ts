import { randomBytes } from 'node:crypto';
import { benchDatabase } from '../bench/coordinator/bench-database.ts';
import { appOver } from '../support/app-over.ts';
import { runLies } from './lying-node/run-lies.ts';

/**
 * One node of a job lies: every field of every call of the agent protocol, other nodes' ids, replays, any order. Honest nodes
 * work beside it, and nothing of theirs may change but by their own calls. `SEED=text STEPS=100000`.
 */
const seed = process.env['SEED'] ?? randomBytes(6).toString('hex');
const steps = Number(process.env['STEPS'] ?? 100_000);

process.stdout.write(`lying-node: seed ${seed}, ${steps} steps\n`);
const database = await benchDatabase();
const { test, close } = await appOver(database, { now: new Date('2026-11-21T12:00:00Z'), logLevel: 'info' });
try {
  const startedAt = performance.now();
  const { worlds, honest, answers, violations } = await runLies(test, { seed, steps });
  const seconds = Number(((performance.now() - startedAt) / 1000).toFixed(1));
  const table = [...answers]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([what, count]) => `  ${what.padEnd(44)} ${count}`);
  process.stdout.write(`${table.join('\n')}\n${worlds} jobs, ${honest} honest calls, ${seconds} s\n`);
  for (const violation of violations) process.stdout.write(`VIOLATION ${violation}\n`);
  process.stdout.write(
    `${JSON.stringify({ schema: 'gpumark.fuzz.lying-node/1', seed, steps, worlds, honest_calls: honest, seconds, violations })}\n`,
  );
  process.exitCode = violations.length === 0 ? 0 : 8;
} finally {
  await close();
  await database.close();
}
