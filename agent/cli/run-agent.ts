import { CommanderError } from 'commander';
import { unverifiedTls } from '../../coordinator/contract/unverified-tls.ts';
import { normaliseArgv } from './arguments.ts';
import { ExitError } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { buildProgram } from './program.ts';

/**
 * Parses the command line and runs the command it names.
 * @returns the exit code
 * @throws ExitError for every known way to fail
 */
export async function runAgent(host: Host): Promise<number> {
  const unsafe = unverifiedTls(host.env);
  if (unsafe !== null)
    throw new ExitError('usage', unsafe, 'Unset it. For a certificate of your own authority there is --ca FILE.');
  const outcome = { code: 0 };
  const program = buildProgram(host, (code) => {
    outcome.code = code;
  });
  try {
    await program.parseAsync(normaliseArgv(host.argv), { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help that was asked for ends here as well, with code 0.
    if (error.exitCode !== 0)
      throw new ExitError('usage', error.message.replace(/^error: /, ''), 'See gpumark-agent --help.', error);
  }
  return outcome.code;
}
