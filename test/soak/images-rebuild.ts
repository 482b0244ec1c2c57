import { join } from 'node:path';
import { execa } from 'execa';

/** Rebuilds every device image and compares it byte for byte; `make test` does this with one of each kind. */
const script = join(import.meta.dirname, '../../native/device/check-images.sh');
const { exitCode, stdout } = await execa(script, ['--rebuild'], { reject: false });
process.stdout.write(`${stdout}\n`);
// 3: every image that could be built is the same; for the others a compiler is missing.
const not_rebuilt = [...stdout.matchAll(/^NOT REBUILT: (.*)$/gm)].map((match) => match[1]);
process.stdout.write(`${JSON.stringify({ same: exitCode === 0 || exitCode === 3, not_rebuilt })}\n`);
process.exitCode = exitCode === 0 || exitCode === 3 ? 0 : 8;
