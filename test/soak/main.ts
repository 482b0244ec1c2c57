import { runPrograms } from '../support/run-programs.ts';

/** `make soak [ONLY=name]`: every `network-*.ts` and `images-*.ts` of this folder. */
const files = /^((?:network|images)-.+)\.ts$/;
process.exitCode = await runPrograms({ suite: 'soak', folder: import.meta.dirname, files }, process.argv.slice(2));
