import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runGpus } from './fake-gpus.ts';
import { speakLink } from './fake-link.ts';
import type { LinkScript } from './fake-link.ts';
import type { FakeGpu } from './fake-gpus.ts';

/** How the fake runner behaves in `run`. */
export interface RunnerScript {
  /** measure: everything at once; wait: says a phase, then works until SIGTERM; stubborn: does not hear SIGTERM; crash, killed: dies without a summary; wrong: a figure fails its check; gap: one could not be measured although the device has it */
  run?: 'measure' | 'wait' | 'stubborn' | 'crash' | 'killed' | 'wrong' | 'gap';
  /** Cards beside the processor: a backend in this state, or two that work. */
  cards?: 'none' | 'no-driver' | 'driver-too-old' | 'error' | 'two';
  /** Cards beside the processor, one by one. */
  gpus?: FakeGpu[];
  /** GB/s from one GPU to another where it is not 400, and the sentence of one that cannot be measured. */
  cells?: { from: string; to: string; gbs: number | null; connection_type?: string; verified?: boolean }[];
  /** The benchmark at which `run` works until SIGTERM. */
  waiting?: string;
  /** The device on which `run` dies without a summary. */
  crashing?: string;
  cpu?: 'ok' | 'error';
  /** How `link` behaves. */
  link?: LinkScript;
}

/**
 * A program at the device's edge that speaks gpumark.native/1, in `root`/native/build/gpumark-runner.
 * @returns its path
 */
export function fakeRunner(root: string, script: RunnerScript = {}): string {
  const folder = join(root, 'native', 'build');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, 'gpumark-runner');
  writeFileSync(
    path,
    `#!${process.execPath}\nconst script = ${JSON.stringify(script)};\n${runGpus.toString()}\n${speakLink.toString()}\n(${program.toString()})(script);\n`,
  );
  chmodSync(path, 0o755);
  return path;
}

/** The command lines of every `run` and `matrix` so far. */
export function runnerCalls(root: string): string[] {
  const log = join(root, 'native', 'build', 'calls.log');
  return existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n') : [];
}

/** Runs inside the fake runner, hence no reference to anything outside but runGpus and speakLink, which are there too. */
function program(script: RunnerScript): void {
  const say = (event: string, rest: object): void => {
    process.stdout.write(`${JSON.stringify({ schema: 'gpumark.native/1', event, t_ms: 1, ...rest })}\n`);
  };
  const device = (backend: string, vendor: string, status: string, rest: object = {}): void =>
    say('device', {
      backend,
      vendor,
      status,
      detail: status === 'ok' ? '' : `${status} of the test`,
      device_id: backend,
      pci_id: null,
      name: vendor,
      memory_bytes: null,
      simulated: false,
      attributes: {},
      ...rest,
    });
  const option = (name: string): string => process.argv[process.argv.indexOf(name, 3) + 1] ?? '';
  const wanted = option('--device').split(',');
  const two: FakeGpu[] = script.cards === 'two' ? [{ id: 'cuda-1' }, { id: 'cuda-2' }] : [];
  const gpus = [...two, ...(script.gpus ?? [])];
  const chosen = gpus.filter((gpu) => wanted.includes(gpu.id));
  const measured = chosen[0]?.id ?? 'cpu-0';
  const card = ({ id, backend = 'cuda', name = 'Test Card', status = 'ok', ...gpu }: FakeGpu) => {
    const { pci_id, attributes = {}, simulated = false } = gpu;
    device(backend, backend === 'cuda' ? 'nvidia' : 'amd', status, {
      device_id: id,
      name,
      simulated,
      attributes,
      ...(pci_id === undefined ? {} : { pci_id }),
    });
  };
  const cpu = (): void => device('cpu', 'cpu', script.cpu ?? 'ok', { device_id: 'cpu-0', name: 'Test Processor' });
  const phase = (state: string): void =>
    say('phase', { device_id: measured, benchmark: 'gemm_fp32', state, expected_seconds: 4, index: 0, count: 2 });
  const result = (metric: string, value: number | null, rest: object): void =>
    say('result', {
      device_id: measured,
      benchmark: 'gemm_fp32',
      metric,
      value,
      unit: 'TFLOP/s',
      reason: null,
      stats: null,
      verified: true,
      engine: 'own',
      details: {},
      ...rest,
    });
  const summary = (exit_code: number): void =>
    say('summary', { exit_code, seconds: 1, contended: false, contention_ratio: 1.01 });
  const stats = { n: 11, min: 0.4, max: 0.5, median: 0.466, p5: 0.41, p95: 0.49, cv: 0.012 };

  switch (process.argv[2]) {
    case '--version':
      process.stdout.write(
        `${JSON.stringify({ name: 'gpumark-runner', revision: 'test', protocol: 'gpumark.native/1', compiler: 'none', arch: 'x86_64', isa: ['sse2'] })}\n`,
      );
      return;
    case '--list':
      if (process.argv[3] === '--json') {
        const seconds = { quick: 1, standard: 10, soak: 100 };
        const benchmarks = [
          { id: 'memory', metrics: ['memory_bandwidth_gbs'], seconds },
          { id: 'gemm_fp32', metrics: ['fp32_tflops', 'fp32_cuda_core_tflops'], seconds },
        ];
        process.stdout.write(JSON.stringify({ schema: 'gpumark.native/1', benchmarks }));
        return;
      }
      for (const gpu of gpus) card(gpu);
      if (script.cards !== undefined && script.cards !== 'none' && script.cards !== 'two')
        device('cuda', 'nvidia', script.cards);
      cpu();
      return summary(0);
    // A machine without NCCL and RCCL.
    case 'collective':
      return summary(0);
    case 'self-test':
      cpu();
      return summary(0);
    case 'link':
      return speakLink(script.link ?? {});
    default:
  }
  const log = (process.argv[1] ?? '').replace(/[^/]*$/, 'calls.log');
  process.getBuiltinModule('node:fs').appendFileSync(log, `${process.argv.slice(2).join(' ')}\n`);
  if (chosen.length === 0) cpu();
  else for (const gpu of chosen) card(gpu);
  const finish = (code: number): void => {
    summary(code);
    process.exitCode = code;
  };
  const tools = { say, result, phase, finish, option, stats };
  if (runGpus(script, chosen, tools)) return;
  // A reader of the phase event may send the signal at once.
  if (script.run === 'stubborn') process.on('SIGTERM', () => undefined);
  if (script.run === 'wait') {
    process.on('SIGTERM', () => {
      result('fp32_tflops', 0.466, { stats });
      result('energy_consumption_wh', null, { reason: 'the run was stopped before this was measured', verified: null });
      say('error', {
        device_id: 'cpu-0',
        code: 'interrupted',
        message: 'stopped by signal 15',
        remedy: 'Run it again.',
      });
      summary(143);
      process.exit(143);
    });
  }
  phase('start');
  if (script.run === 'crash' || script.crashing === measured) process.exit(3);
  if (script.run === 'killed') process.kill(process.pid, 'SIGKILL');
  if (script.run === 'stubborn' || script.run === 'wait') {
    setInterval(() => undefined, 1000);
    return;
  }
  if (script.run === 'wrong') {
    result('fp32_tflops', null, { reason: 'differs from its reference', verified: false });
    say('error', {
      device_id: 'cpu-0',
      code: 'wrong_result',
      message: 'fp32 differs from its float64 reference',
      remedy: 'Suspect memory.',
    });
    summary(6);
    process.exit(6);
  }
  result('fp32_tflops', 0.466, { stats });
  const [gpu] = chosen;
  const memory = gpu?.memory ?? 48.3;
  result('memory_bandwidth_gbs', memory, {
    stats: { ...stats, median: memory },
    unit: 'GB/s',
    details: gpu?.details?.['memory_bandwidth_gbs'] ?? {},
  });
  for (const [metric, { value, ...rest }] of Object.entries(gpu?.gemm ?? {}))
    result(metric, value, { stats: { ...stats, median: value }, ...rest });
  for (const [metric, details] of Object.entries(gpu?.details ?? {}))
    if (metric === 'temperature_centigrade') result(metric, 60, { unit: 'C', details });
  const absent = { unit: 'Wh', verified: null, details: { absence: 'hardware' } };
  result('energy_consumption_wh', null, { ...absent, reason: 'no energy counter' });
  if (script.run === 'gap')
    result('bf16_tflops', null, { ...absent, reason: 'out of memory', details: { absence: 'failed' } });
  phase('end');
  summary(0);
}
