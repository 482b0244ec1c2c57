import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EngineChoice } from '../../coordinator/contract/matrix-engine.ts';
import { signalsOf } from '../health/compare-readings.ts';
import { readNode } from '../health/read-node.ts';
import { tellMachine } from '../health/tell-machine.ts';
import { cardAddresses } from '../inventory/pci-cards.ts';
import { deviceNames } from '../../coordinator/figures/device-name.ts';
import { ExitError } from '../run/exit-error.ts';
import type { RunContext } from '../run/run-context.ts';
import { readBaseline, refuseForeignBaseline, type Baseline } from '../benchmarks/baseline.ts';
import { findMissingCards } from './find-missing-cards.ts';
import { selectDevices } from './select-devices.ts';
import { SystemFiles } from '../inventory/system-files.ts';
import { machineIdentity } from '../inventory/machine-uuid.ts';
import { listDevices } from '../kernels/list-devices.ts';
import type { DeviceEvent } from '../kernels/runner-events.ts';
import { findRunner } from './find-runner.ts';
import { withRunner } from './runner-failure.ts';
import { stateDirectory } from '../state/private-directory.ts';
import type { RandomSource } from '../run/host.ts';
import { makeDirectory } from '../state/make-directory.ts';
import { selfTest } from '../kernels/self-test.ts';
import type { Emit } from '../run/run-event.ts';

const NO_GPU =
  'NO GPU: this machine has none on its PCI bus and no driver of one, so the processor is measured; its figures are not those of a GPU';

export interface PreparedMachine {
  runner_path: string;
  /** Every device the runner lists, usable or not. */
  all_devices: DeviceEvent[];
  devices: DeviceEvent[];
  machine_uuid: string;
  state_directory: string;
  files: SystemFiles;
  baseline: Baseline | null;
  /** Cards that should have been measured and cannot be. */
  warnings: string[];
}

/**
 * Prepares everything that a run needs from this machine, before it registers: a place for results, a working runner,
 * the devices to measure, an identity. With `--setup` the runner's kernels are checked as well.
 */
export async function prepareMachine(context: RunContext): Promise<PreparedMachine> {
  const { host, options, emit, record, stop } = context;
  emit({ type: 'step', step: 'setup', state: 'started', message: 'preparing this machine' });
  const state_directory = stateDirectory(host);
  const files = new SystemFiles(host.system_root);
  const runner_path = await findRunner(host);
  const all_devices = await withRunner(() => listDevices(runner_path, stop.signal));
  const devices = await usableDevices(context, files, all_devices);
  refuseMixture(devices);
  refuseLibraryOfProcessor(options.engine, devices);
  const baseline = options.baseline === null ? null : readBaseline(options.baseline);
  if (baseline !== null) refuseForeignBaseline(baseline, devices);
  const warnings = tellMissingCards(context, all_devices, files);
  if (options.device === 'auto' && devices.every(({ vendor }) => vendor === 'cpu'))
    emit({ type: 'notice', level: 'info', message: NO_GPU, remedy: null });
  if (options.setup) await verifyRunner(runner_path, devices, emit);
  const identity = machineIdentity(files, options.machine_id, () => storedMachineId(state_directory, host.random));
  record.machine_uuid = identity.machine_uuid;
  for (const { device_id, name, vendor, simulated } of devices)
    emit({ type: 'device', device_id, name, vendor, simulated });
  emit({
    type: 'step',
    step: 'setup',
    state: 'done',
    message: `ready to measure ${deviceNames(devices).join(', ')}`,
  });
  const { machine_uuid } = identity;
  return { runner_path, all_devices, devices, machine_uuid, state_directory, files, baseline, warnings };
}

/**
 * Where no device can be measured, the machine may say why: its kernel log, its slots and ports are then told as of any run.
 * @throws ExitError
 */
async function usableDevices(context: RunContext, files: SystemFiles, all: DeviceEvent[]): Promise<DeviceEvent[]> {
  const { host, options, record } = context;
  try {
    return selectDevices(all, options.device, files, host.env);
  } catch (error) {
    if (!(error instanceof ExitError && error.reason === 'no_device')) throw error;
    const devices = (['nvidia', 'amd'] as const).flatMap((vendor) =>
      cardAddresses(files, vendor).map((pci_id) => ({ vendor, pci_id })),
    );
    const signals = signalsOf(await readNode({ files, devices, clock: host.clock }));
    const { findings, notRead } = tellMachine(context, signals);
    record.node_health = findings;
    record.node_health_not_read = notRead;
    throw error;
  }
}

/** Warns of cards that should be measured but cannot; cards hidden on purpose are only reported. */
function tellMissingCards(
  { host, options, emit, record }: RunContext,
  all: DeviceEvent[],
  files: SystemFiles,
): string[] {
  const { warnings, remarks } = findMissingCards(all, options.device, files, host.env);
  for (const { message } of remarks) emit({ type: 'notice', level: 'info', message, remedy: null });
  for (const { message, remedy } of warnings) emit({ type: 'notice', level: 'warning', message, remedy });
  const messages = warnings.map(({ message }) => message);
  record.warnings.push(...messages);
  return messages;
}

/** Refused here, with a message, instead of giving eight figures without a value. */
function refuseLibraryOfProcessor(engine: EngineChoice, devices: DeviceEvent[]): void {
  if (engine !== 'vendor' || devices.some((device) => device.vendor !== 'cpu')) return;
  throw new ExitError(
    'usage',
    "--engine vendor: the processor is measured with gpumark's own kernels only",
    'Leave the option out, or name a GPU with --device.',
  );
}

/** A result is either of the processor or of cards; sums over both would be meaningless. */
function refuseMixture(devices: DeviceEvent[]): void {
  if (new Set(devices.map((device) => device.vendor === 'cpu')).size > 1) {
    throw new ExitError(
      'usage',
      'the processor and cards cannot be measured in one run',
      'Measure them in two runs: --device cpu, then --device auto.',
    );
  }
}

/** For machines without a stable id: a random one, generated once and kept with the agent's state. */
function storedMachineId(stateDirectory: string, random: RandomSource): string {
  const path = join(stateDirectory, 'machine-id');
  makeDirectory(stateDirectory);
  try {
    writeFileSync(path, random.uuid(), { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8').trim();
}

/** The runner's self-test on each device. @throws ExitError kernel if a kernel is wrong */
export async function verifyRunner(runnerPath: string, devices: DeviceEvent[], emit: Emit): Promise<void> {
  for (const { device_id } of devices) {
    const outcome = await withRunner(() => selfTest(runnerPath, device_id));
    if (!outcome.passed) {
      throw new ExitError(
        'kernel',
        `${device_id}: the self-test failed: ${outcome.problems.join('; ')}`,
        'Suspect memory, processor or card; measure nothing on it until it passes.',
      );
    }
    emit({ type: 'step', step: 'setup', state: 'done', message: `${device_id}: self-test passed` });
  }
}
