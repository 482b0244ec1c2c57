import { gpuPeak } from '../../coordinator/figures/gpu-peaks.ts';
import { attributesOf } from '../kernels/runner-events.ts';
import type { DeviceEvent, RunnerEvent } from '../kernels/runner-events.ts';
import type { Emit } from '../run/run-event.ts';

/** Contention is normal for a CPU, so it is only reported; for a card in use by other programs it is a warning. */
export function tellContention(device: DeviceEvent, events: readonly RunnerEvent[], emit: Emit): string[] {
  const summary = events.findLast((event) => event.event === 'summary');
  if (summary?.event !== 'summary' || !summary.contended) return [];
  const ratio =
    summary.contention_ratio === null
      ? ''
      : ` (the work took ${summary.contention_ratio.toFixed(2)} times its undisturbed time)`;
  const message = `${device.device_id} was in use by something else while it was measured${ratio}`;
  emit({
    type: 'notice',
    level: 'warning',
    message,
    remedy: 'Figures may be too low: measure again on a quiet machine.',
  });
  return device.vendor === 'cpu' ? [] : [message];
}

/**
 * Power, temperature and energy need the vendor's management library and its permissions; a failure is reported, but is
 * not a warning of the run.
 */
export function tellTelemetryProblems(devices: readonly DeviceEvent[], emit: Emit): void {
  const blind = devices.flatMap((device) => {
    const { telemetry_problem: problem = '' } = attributesOf(device);
    return device.vendor === 'cpu' || problem === '' ? [] : [{ device, problem }];
  });
  for (const [problem, group] of Map.groupBy(blind, (one) => one.problem)) {
    const names = group.map(({ device }) => device.device_id).join(', ');
    emit({
      type: 'notice',
      level: 'warning',
      message: `${names}: power, temperature and energy cannot be read: ${problem}`,
      remedy: REMEDIES[group[0]?.device.vendor ?? ''] ?? null,
    });
  }
}

/** Without published figures an implausible figure cannot be detected. */
export function tellUnknownModels(devices: readonly DeviceEvent[], emit: Emit): void {
  const cards = devices.filter(
    (device) => device.vendor !== 'cpu' && !device.simulated && gpuPeak(device.name) === null,
  );
  for (const name of new Set(cards.map((card) => card.name))) {
    const message = `no published figures are known for ${name}: it is measured, and judged by what needs none: its checks, spread, PCIe link, power cap and temperature, and the other cards of this model`;
    emit({ type: 'notice', level: 'info', message, remedy: null });
  }
}

const REMEDIES: Readonly<Record<string, string>> = {
  nvidia:
    'Give this user the device file /dev/nvidiactl, and a container the driver capability utility (NVIDIA_DRIVER_CAPABILITIES=compute,utility).',
  amd: 'Add this user to the groups video and render, or install amd-smi-lib.',
};
