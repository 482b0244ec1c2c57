import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { completionScript } from '../../../agent/cli/completion.ts';
import { ExitError } from '../../../agent/run/exit-error.ts';
import { buildProgram } from '../../../agent/cli/program.ts';
import { testHost } from '../support/test-host.ts';

/** What bash offers for the last word of a command line. */
function bashOffers(script: string, words: string[]): string[] {
  const driver = `${script}\nCOMP_WORDS=(gpumark-agent "$@"); COMP_CWORD=$#; _gpumark_agent; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['--norc', '-c', driver, 'test', ...words], { encoding: 'utf8' })
    .trim()
    .split('\n');
}

test('bash completes options, commands and the values of options', (t) => {
  const script = completionScript(
    buildProgram(testHost(t), () => undefined),
    'bash',
  );
  assert.deepEqual(bashOffers(script, ['--api']), ['--api-key-file', '--api-key']);
  assert.deepEqual(bashOffers(script, ['up']), ['upload']);
  assert.deepEqual(bashOffers(script, ['--tier', 's']), ['standard', 'soak']);
  assert.deepEqual(bashOffers(script, ['--device', 'c']), ['cuda', 'cpu']);
});

test('every option and command of the program is in each script', (t) => {
  const program = buildProgram(testHost(t), () => undefined);
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = completionScript(program, shell);
    const words = [
      ...program.options.map((option) => option.long ?? ''),
      ...program.commands.map((command) => command.name()),
    ];
    for (const word of words) assert.ok(script.includes(word.replace(/^--/, '')), `${shell}: ${word}`);
  }
});

test('another shell is a usage error', (t) => {
  const program = buildProgram(testHost(t), () => undefined);
  assert.throws(
    () => completionScript(program, 'tcsh'),
    (error) => error instanceof ExitError && error.code === 2,
  );
});
