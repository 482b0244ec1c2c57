import type { z } from 'zod';
import { taskDetail } from '../../contract/task.ts';
import { getTask } from '../../jobs/tasks/get-task.ts';
import { peerBands, type PeerBand } from '../../lifecycle/performance/peer-bands.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { figuresIn, type NodeFigures } from '../live/node-figures.ts';
import { devicesOf, runOf, type PlacedDevice } from './run-figures.ts';
import { deviceNumber, sensorsOf, type TaskSensors } from './sensors-of.ts';

/** What the pages of a task show: all of them read it in one way, so that none shows a stranger more than another. */
export interface TaskView {
  task: z.output<typeof taskDetail>;
  devices: readonly PlacedDevice[];
  node: NodeFigures;
  sensors: TaskSensors | null;
  /** Of the figures of its devices. The first look at a model takes a second or two: only what shows them waits for it. */
  readBands: () => Promise<readonly PeerBand[]>;
}

/** The task that the path names, if the visitor may see it. Throws `not_found`. */
export async function readTask(visit: Visit): Promise<TaskView> {
  const { context, params, shared } = visit;
  const task = taskDetail.parse(await getTask(context, { taskId: idOf(params['id']), displayNames: false }));
  const results = task.benchmark_results['quick_mark']?.['results'];
  const found = devicesOf(results);
  const node = figuresIn(results);
  const sensors = await sensorsOf(visit, task.id);
  const shown = shared === null ? found : found.map(withoutWords);
  const devices = shown.map((device) => withFurther(device, sensors));
  // Without knowing whose they are, the own machines could not be left out.
  const readBands = async (): Promise<readonly PeerBand[]> =>
    sensors === null
      ? []
      : await peerBands(context, { ...runOf(results), test_results: found, copies: node.copies }, sensors.customerId);
  return { task, devices, node, sensors, readBands };
}

/** With the records of figures that have no field: of a large result only the whole one still holds them. */
const withFurther = (device: PlacedDevice, sensors: TaskSensors | null): PlacedDevice => {
  const further = sensors?.devices.find(({ place }) => place === device.place)?.further;
  return { ...device, details: { ...device.details, ...further } };
};

/** As a stranger sees it: without ids, which may be serials, and without what the agent said in its own words. */
const withoutWords = (device: PlacedDevice): PlacedDevice => ({
  ...device,
  gpu_id: deviceNumber(device.place),
  unavailable: Object.fromEntries(Object.keys(device.unavailable).map((metric) => [metric, 'reason left out'])),
  verdicts: Object.fromEntries(
    Object.entries(device.verdicts ?? {}).map(([metric, { verdict }]) => [
      metric,
      { verdict, rule: verdict === 'bad' ? 'not plausible' : 'in doubt' },
    ]),
  ),
});
