import { randomBytes } from 'node:crypto';
import { runProgram } from './commands/program.ts';

/** The only place that touches environment, clock, randomness, streams and signals; everything below receives them. */
process.exitCode = await runProgram(process.argv.slice(2), {
  environment: process.env,
  now: () => new Date(),
  randomBytes,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onStop: (stop) => {
    process.on('SIGINT', () => stop('SIGINT'));
    process.on('SIGTERM', () => stop('SIGTERM'));
  },
  exit: (code) => process.exit(code),
});
