import assert from 'node:assert/strict';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { quickMarkResults } from '../../coordinator/contract/quick-mark.ts';
import { root, type Deployment } from './deployment.ts';

/**
 * The whole way of a node's QuickMark with GPUs, from the packaged agent to the PDF, on the simulated drivers: what they
 * prove is the way, never a speed.
 */
export interface SimulatedMachine {
  vendor: 'cuda' | 'rocm';
  count: number;
  arch: string;
  link: RegExp;
  lacks: readonly string[];
}

const agent = join(root, 'dist', 'gpumark-agent');
const drivers = { cuda: join(root, 'native/build/sim/nvidia'), rocm: join(root, 'native/build/sim/amd') };

/** The environment in which an agent finds these cards. */
const simulated = ({ vendor, count, arch }: Pick<SimulatedMachine, 'vendor' | 'count' | 'arch'>) => ({
  LD_LIBRARY_PATH: drivers[vendor],
  GPUMARK_SIM_DEVICES: String(count),
  GPUMARK_SIM_MEMORY_MIB: '32',
  GPUMARK_SIM_ARCH: arch,
});
export const SHORTENED = ['--max-seconds', '3', '--engine', 'own'];

/**
 * For tests of how agents are started and deliver. With the processor in its place, several agents on one machine with a
 * large cache take minutes: a figure of its memory needs arrays of several times the cache.
 */
export const oneSmallCard = simulated({ vendor: 'rocm', count: 1, arch: 'gfx1030' });

const noMatrixUnits = ['fp16_tflops', 'bf16_tflops', 'fp8_tflops', 'mixed_precision_tflops'];

/**
 * Matrix units on one device and several devices without them: to do those instructions on the processor takes its time,
 * and what is done with several is the same for any number above one.
 */
export const tested: readonly SimulatedMachine[] = [
  { vendor: 'cuda', count: 1, arch: 'sm_90', link: /^NVLink x18$/, lacks: [] },
  { vendor: 'rocm', count: 2, arch: 'gfx1030', link: /^PCIe/, lacks: noMatrixUnits },
];

/** Further numbers and links; by `make soak ONLY=simulated-gpus`. */
export const nightly: readonly SimulatedMachine[] = [
  { vendor: 'cuda', count: 2, arch: 'sm_90', link: /^NVLink x18$/, lacks: [] },
  { vendor: 'cuda', count: 8, arch: 'sm_70', link: /^PCIe/, lacks: noMatrixUnits },
  { vendor: 'rocm', count: 2, arch: 'gfx942', link: /^xGMI/, lacks: [] },
  { vendor: 'rocm', count: 4, arch: 'gfx1030', link: /^PCIe/, lacks: noMatrixUnits },
];

export const titleOf = ({ vendor, count, arch }: SimulatedMachine): string =>
  `${count} simulated ${vendor} ${count === 1 ? 'device' : 'devices'} (${arch}): every figure, every copy, a report that says SIMULATED`;

export const buildDrivers = () => execa('make', ['-s', '-C', join(root, 'test/support/simulated-driver')]);

export async function assertWholeWay(deployment: Deployment, machine: SimulatedMachine): Promise<void> {
  const { folder, customer } = deployment;
  const { count, link, lacks } = machine;
  const job = await customer.createJob({ benchmarks: ['quick_mark'] });
  const env = {
    GPUMARK_API_KEY: job.token,
    GPUMARK_STATE_DIR: join(folder, `agent-${job.id}`),
    ...simulated(machine),
  };
  // Spread and peers of cards that share two cores trip now and then: 3 is a result with warnings.
  const run = await execa(agent, ['--json', ...SHORTENED], { env, reject: false });
  assert.ok(run.exitCode === 0 || run.exitCode === 3, `${run.exitCode}: ${run.stderr.slice(-2000)}`);
  const finished = await customer.waitForReport(job.id);
  assert.match(finished.state, /^completed/);

  const mark = quickMarkResults.parse(finished.tasks[0]?.benchmark_results['quick_mark']?.results);
  assert.equal(mark.test_results.length, count);
  for (const device of mark.test_results) {
    assert.equal(device.simulated, true);
    for (const metric of MEASURED) assert.ok(Number(device[metric]) > 0, `${metric}: ${String(device[metric])}`);
    // Of a shortened run on a busy host the load may be too short for a mean power; then it says so.
    const hasPower = Number(device.power_consumption_watts) > 0;
    assert.ok(hasPower || /no load ran long enough/.test(device.unavailable['power_consumption_watts'] ?? ''));
    for (const metric of PRODUCTS) {
      if (lacks.includes(metric)) {
        assert.equal(device[metric], null);
        continue;
      }
      assert.ok(Number(device[metric]) > 0, `${metric}: ${device.unavailable[metric] ?? String(device[metric])}`);
      const { engine, fraction_of_spec_peak } = device.gemm?.[metric] ?? assert.fail(metric);
      assert.equal(engine, 'own');
      // The card has the name of none, and the speed of this machine.
      assert.equal(fraction_of_spec_peak, null);
    }
    assert.equal(Object.keys(device.together ?? {}).includes('memory_bandwidth_gbs'), count > 1);
  }
  assert.deepEqual([mark.engine_choice, mark.aggregate_results.engines?.['fp32_tflops']], ['own', 'own']);
  const sum = mark.test_results.reduce((total, device) => total + Number(device['memory_bandwidth_gbs']), 0);
  assert.ok(Math.abs(Number(mark.aggregate_results['memory_bandwidth_gbs']) - sum) < 1e-6 * sum);

  const cells = mark.aggregate_results.gpu_bandwidth_matrix ?? [];
  assert.equal(cells.length, count * (count - 1));
  assert.equal(new Set(cells.map((cell) => `${cell.source_gpu} ${cell.target_gpu}`)).size, cells.length);
  for (const cell of cells) {
    assert.ok(Number(cell.simplex_gbs) > 0 && Number(cell.duplex_gbs) > 0, JSON.stringify(cell));
    assert.match(cell.connection_type, link);
  }
  // Nothing simulated is ranked.
  assert.equal(finished.scoreboard_summary, null);
  await assertReportSaysSimulated(
    await customer.download(finished.pdf_report_url ?? ''),
    join(folder, `${job.id}.pdf`),
    count,
  );
}

const MEASURED = [
  'memory_bandwidth_gbs',
  'host_to_device_bandwidth_gbs',
  'device_to_host_bandwidth_gbs',
  'kernel_launch_overhead_us',
  'energy_consumption_wh',
  'temperature_centigrade',
] as const;
const PRODUCTS = ['fp32_tflops', 'fp16_tflops', 'bf16_tflops', 'fp8_tflops', 'mixed_precision_tflops'] as const;

async function assertReportSaysSimulated(pdf: Buffer, file: string, count: number): Promise<void> {
  assert.equal(pdf.subarray(0, 5).toString(), '%PDF-');
  await writeFile(file, pdf);
  if (!(await isThere('/usr/bin/pdftotext'))) return;
  const { stdout } = await execa('pdftotext', ['-layout', file, '-']);
  assert.match(stdout, /SIMULATED/);
  assert.match(stdout, /Matrix products: engines, peaks and paths/);
  assert.equal(/GPU to GPU|GPU x GPU|GPU × GPU/i.test(stdout), count > 1);
}

async function isThere(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
