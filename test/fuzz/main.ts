import { runPrograms } from '../support/run-programs.ts';

/** `make fuzz [ONLY=name] [SEED=text] [STEPS=n]`: every other program of this folder, each with hostile calls drawn from a seed. */
const files = /^(?!main\.ts)(.+)\.ts$/;
process.exitCode = await runPrograms({ suite: 'fuzz', folder: import.meta.dirname, files }, process.argv.slice(2));
