import type { z } from 'zod';
import { taskDetail } from '../../contract/task.ts';
import { getTask } from '../../jobs/tasks/get-task.ts';
import { peerBands, type PeerBand } from '../../lifecycle/performance/peer-bands.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { healthIn, type NodeHealthView } from '../live/health.ts';
import { figuresIn, type NodeFigures } from '../live/node-figures.ts';
import { devicesOf, runOf, type PlacedDevice } from './run-figures.ts';
import { sensorsOf, type TaskSensors } from './sensors-of.ts';

/**
 * The data of a task's pages: all of them read it the same way, so that none shows more on a shared page than another.
 */
export interface TaskView {
  task: z.output<typeof taskDetail>;
  devices: readonly PlacedDevice[];
  node: NodeFigures;
  sensors: TaskSensors | null;
  /** null without a result */
  health: NodeHealthView | null;
  /**
   * Peer bands of the figures of its devices. The first read for a model takes a second or two: only the parts that
   * show them wait for it.
   */
  readBands: () => Promise<readonly PeerBand[]>;
}

/** The task named by the path, if the visitor may see it. Throws `not_found`. */
export async function readTask(visit: Visit): Promise<TaskView> {
  const { context, params, shared } = visit;
  const task = taskDetail.parse(await getTask(context, { taskId: idOf(params['id']), displayNames: false }));
  const results = task.benchmark_results['quick_mark']?.['results'];
  const found = devicesOf(results);
  const node = figuresIn(results);
  const sensors = await sensorsOf(visit, task.id);
  const shown = shared === null ? found : found.map(withoutWords);
  const devices = shown.map((device) => withFurther(device, sensors));
  // Needs the owner, because the bands leave out the owner's own machines.
  const readBands = async (): Promise<readonly PeerBand[]> =>
    sensors === null
      ? []
      : await peerBands(context, { ...runOf(results), test_results: found, copies: node.copies }, sensors.customerId);
  const health = healthIn(results);
  return { task, devices, node, sensors, health, readBands };
}

/** Adds the records of figures without a field of their own: for a large result, only the complete file has them. */
const withFurther = (device: PlacedDevice, sensors: TaskSensors | null): PlacedDevice => {
  const further = sensors?.devices.find(({ place }) => place === device.place)?.further;
  return { ...device, details: { ...device.details, ...further } };
};

/** For shared pages: without ids, which may be serials, and without the agent's own texts. */
const withoutWords = (device: PlacedDevice): PlacedDevice => ({
  ...device,
  gpu_id: device.name,
  unavailable: Object.fromEntries(Object.keys(device.unavailable).map((metric) => [metric, 'reason left out'])),
  verdicts: Object.fromEntries(
    Object.entries(device.verdicts ?? {}).map(([metric, { verdict }]) => [
      metric,
      { verdict, rule: verdict === 'bad' ? 'not plausible' : 'in doubt' },
    ]),
  ),
});
