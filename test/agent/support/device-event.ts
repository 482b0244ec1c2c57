import type { DeviceEvent } from '../../../agent/kernels/runner-events.ts';

/** What stands at the beginning of each event of the runner. */
export const head = { schema: 'gpumark.native/1', t_ms: 1 } as const;

/** A sound NVIDIA GPU as the runner announces it, but for `rest`. */
export const deviceEvent = (rest: Partial<DeviceEvent> = {}): DeviceEvent => ({
  ...head,
  event: 'device',
  backend: 'cuda',
  vendor: 'nvidia',
  status: 'ok',
  detail: '',
  device_id: 'GPU-1',
  pci_id: null,
  name: 'NVIDIA H100 80GB HBM3',
  memory_bytes: null,
  simulated: false,
  attributes: {},
  ...rest,
});
