import type { JobView } from './job-view.ts';

/** Whether all devices measured so far are processors; false if none was measured yet. */
export function isOfProcessors({ figures }: Pick<JobView, 'figures'>): boolean {
  const devices = [...figures.values()].flatMap((node) => node.devices);
  return devices.length > 0 && devices.every(({ vendor }) => vendor === 'cpu');
}

/** What the devices of a job are called. */
export const unitOfDevices = (view: Pick<JobView, 'figures'>, count: number): string =>
  isOfProcessors(view) ? (count === 1 ? 'processor' : 'processors') : count === 1 ? 'GPU' : 'GPUs';
