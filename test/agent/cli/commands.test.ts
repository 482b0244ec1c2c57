import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TestContext } from 'node:test';
import { topics } from '../../../agent/cli/help-topics.ts';
import { buildProgram, runAgent } from '../../../agent/cli/program.ts';
import type { ExitError } from '../../../agent/run/exit-error.ts';
import { hostWithRunner } from '../support/run-harness.ts';
import { testHost } from '../support/test-host.ts';

/** What the command line prints on stdout. */
async function said(t: TestContext, ...argv: string[]): Promise<string> {
  const host = { ...hostWithRunner(t), argv };
  await runAgent(host);
  return host.out();
}

/** What it is refused with: `code: message / remedy`. */
async function refusal(t: TestContext, ...argv: string[]): Promise<string> {
  const host = { ...hostWithRunner(t), argv };
  const error = await runAgent(host).then(
    () => assert.fail(`${argv.join(' ')} was accepted`),
    (thrown: ExitError) => thrown,
  );
  return `${error.code}: ${error.message} / ${error.remedy}`;
}

test('no line of the help is wider than 80 columns, of the program, each command and each topic', async (t) => {
  const program = buildProgram(testHost(t), () => undefined);
  const names = [...program.commands.map((command) => command.name()), ...Object.keys(topics)];
  assert.ok(names.includes('doctor') && names.includes('exit-codes'));
  for (const argv of [['--help'], ['help'], ...names.map((name) => ['help', name])]) {
    const text = await said(t, ...argv);
    assert.ok(text.length > 100, argv.join(' '));
    for (const line of text.split('\n')) assert.ok(Array.from(line).length <= 80, line);
  }
});

test('the help has its options in groups, three examples and the name of every topic', async (t) => {
  const text = await said(t, '--help');
  for (const group of ['A job:', 'What is measured:', 'How it is judged:', 'What is printed:', 'This machine:'])
    assert.ok(text.includes(`\n${group}\n`), group);
  const [, examples = ''] = text.split('\nExamples:\n');
  assert.equal(examples.split('\n\n')[0]?.split('\n').length, 3);
  for (const topic of Object.keys(topics)) assert.match(text, new RegExp(`\\b${topic}\\b`));
});

test('the help of a command shows its own options only', async (t) => {
  const upload = await said(t, 'help', 'upload');
  assert.equal(await said(t, 'upload', '--help'), upload);
  assert.match(upload, /--quarantined/);
  assert.match(upload, /--coordinator/);
  assert.doesNotMatch(upload, /--tier|--device|--api-key/);
  assert.doesNotMatch(await said(t, 'help', 'list'), /--tier|--device|--ca/);
});

test('for a mistyped command, topic or option the closest one is suggested', async (t) => {
  assert.equal(await refusal(t, 'docter'), "2: unknown command or argument 'docter' / Did you mean doctor?");
  assert.equal(await refusal(t, 'dcotor'), "2: unknown command or argument 'dcotor' / Did you mean doctor?");
  assert.equal(await refusal(t, 'help', 'verdict'), "2: unknown help topic 'verdict' / Did you mean verdicts?");
  assert.equal(await refusal(t, 'benchmark'), "2: unknown command or argument 'benchmark' / See gpumark-agent --help.");
  assert.match(await refusal(t, '--tire', 'quick'), /^2: unknown option '--tire'.*Did you mean --tier\?/s);
});

test('an option that a command does not accept is refused, before its name and after it', async (t) => {
  assert.match(await refusal(t, 'doctor', '--tier', 'soak'), /^2: unknown option '--tier'/);
  assert.equal(
    await refusal(t, '--tier', 'soak', 'doctor'),
    '2: doctor takes no --tier / See gpumark-agent help doctor.',
  );
});

test('list shows the devices and their benchmarks, and --list is short for it', async (t) => {
  const text = await said(t, 'list');
  assert.match(text, /^cpu-0 +cpu +Test Processor\n\nquick_mark, on each device:\n/);
  assert.match(text, /^ {2}gemm_fp32 +fp32, fp32 \(ordinary lanes\)$/m);
  assert.match(text, /^cluster_network: /m);
  assert.equal(await said(t, '--list'), text);
  const rows = (await said(t, '--json', 'list')).trimEnd().split('\n');
  const types = rows.map((row) => (JSON.parse(row) as { type: string }).type);
  assert.deepEqual(types, ['device', 'benchmark', 'benchmark']);
  assert.equal(await said(t, 'list', '--json'), `${rows.join('\n')}\n`);
});

test('--output live is refused if nothing can be redrawn; --json is --output json', async (t) => {
  assert.match(await refusal(t, '--output', 'live'), /^2: --output live needs a terminal/);
  assert.match(await refusal(t, '--json', '--output', 'plain'), /^2: --json is short for --output json/);
  const last = (text: string): unknown => JSON.parse(text.trimEnd().split('\n').at(-1) ?? '');
  assert.equal((last(await said(t, '--output', 'json')) as { type: string }).type, 'summary');
  assert.match(await said(t, '--output', 'plain'), /NOT SAVED/);
});

/** The fake runner's processor reaches 0.466 TFLOP/s of fp32 and 48.3 GB/s. */
async function required(t: TestContext, thresholds: unknown): Promise<{ code: number; warnings: string[] }> {
  const host = hostWithRunner(t);
  const file = join(host.folder, 'require.json');
  writeFileSync(file, typeof thresholds === 'string' ? thresholds : JSON.stringify({ thresholds }));
  const code = await runAgent({ ...host, argv: ['--json', '--require', file] });
  const summary = JSON.parse(host.out().trimEnd().split('\n').at(-1) ?? '') as {
    exit_code: number;
    warnings: string[];
  };
  assert.equal(summary.exit_code, code);
  return { code, warnings: summary.warnings };
}

test('a figure below its threshold ends the run with 8 and the message shows both; one that reaches it does not', async (t) => {
  const fine = await required(t, [{ metric: 'fp32_tflops', least: 0.466 }]);
  assert.deepEqual(fine, { code: 0, warnings: [] });
  const low = await required(t, [
    { metric: 'fp32_tflops', least: 0.4 },
    { metric: 'memory_bandwidth_gbs', least: 48.4 },
  ]);
  assert.equal(low.code, 8);
  assert.deepEqual(low.warnings, ['cpu-0: memory bandwidth is 48.30 GB/s, below the required 48.40 GB/s']);
});

test('a figure that was not measured, or has no published peak, fails every threshold', async (t) => {
  const none = await required(t, [{ metric: 'fp8_tflops', least: 1 }]);
  assert.deepEqual([none.code, none.warnings], [8, ['cpu-0: fp8 is required and was not measured']]);
  const share = await required(t, [{ metric: 'fp32_tflops', share_of_peak: 0.1 }]);
  assert.equal(share.code, 8);
  assert.match(share.warnings[0] ?? '', /fp32 must be 10\.0 % of the published peak, and none is known/);
});

test('an invalid file of thresholds is refused before anything is measured', async (t) => {
  for (const [file, words] of [
    ['{', /is not JSON/],
    [[], /thresholds/],
    [[{ metric: 'fp32_tflops' }], /least or share_of_peak/],
    [[{ metric: 'fp32_tflops', least: 1, share_of_peak: 0.5 }], /least or share_of_peak/],
    [[{ metric: 'fp32_tflops', share_of_peak: 60 }], /thresholds\.0/],
    [[{ metric: 'memory_bandwith_gbs', least: 1 }], /'memory_bandwith_gbs' is not a metric/],
    [[{ metric: 'kernel_launch_overhead_us', least: 1 }], /not a metric that can have a least value/],
    [[{ metric: 'memory_bandwidth_gbs', share_of_peak: 0.5 }], /share_of_peak applies to throughputs/],
  ] as const)
    await assert.rejects(required(t, file), (error: ExitError) => error.code === 2 && words.test(error.message));
});
