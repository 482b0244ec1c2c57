import { listDevices } from '../../agent/kernels/list-devices.ts';
import type { DeviceEvent } from '../../agent/kernels/runner-events.ts';
import type { CheckContext } from './check-context.ts';

/** Either the GPUs to check, or the sentence that says why there are none. */
export type FoundGpus = { gpus: DeviceEvent[] } | { problem: string };

/**
 * The GPUs of this machine that can be measured, or those of them that were asked for.
 * @throws RunnerError
 */
export async function findDevices(context: CheckContext): Promise<FoundGpus> {
  const all = await listDevices(context.runner_path, context.signal);
  const gpus = all.filter((device) => device.backend !== 'cpu');
  const usable = gpus.filter((device) => device.status === 'ok');
  const wanted = context.options.devices;
  const unknown = wanted.filter((id) => !usable.some((device) => device.device_id === id));
  if (unknown.length > 0) {
    const known = usable.map((device) => `${device.device_id} (${device.name})`).join(', ');
    return { problem: `No usable GPU is called ${unknown.join(' or ')}. There is: ${known || 'none'}.` };
  }
  if (usable.length === 0) return { problem: whyNone(gpus) };
  return { gpus: wanted.length === 0 ? usable : usable.filter((device) => wanted.includes(device.device_id)) };
}

function whyNone(gpus: readonly DeviceEvent[]): string {
  const looked = gpus.map(
    (device) => `  ${device.vendor} (${device.backend}): ${device.status}, ${device.detail || 'no more is known'}`,
  );
  return [
    'No GPU that can be measured was found on this machine.',
    'Looked for NVIDIA cards by libcuda.so.1 and for AMD cards by libamdhip64.so.7, .6 and .5:',
    ...looked,
    'Install the driver of the card (nvidia-smi or rocm-smi should list it), give a container its GPUs',
    '(docker run --gpus all; --device /dev/kfd --device /dev/dri), and see that CUDA_VISIBLE_DEVICES,',
    'HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES do not hide it. Nothing was measured and nothing written.',
  ].join('\n');
}
