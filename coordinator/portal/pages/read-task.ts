import type { z } from 'zod';
import type { Judgement } from '../../contract/judgement.ts';
import { taskDetail } from '../../contract/task.ts';
import { ofOneNode, type PlaceNames } from '../../figures/findings/finding-words.ts';
import { nodeJudgement } from '../../figures/findings/node-judgement.ts';
import { knownOfTask } from '../../lifecycle/known-judgement.ts';
import { getTask } from '../../jobs/tasks/get-task.ts';
import { peerBands, type PeerBand } from '../../lifecycle/performance/peer-bands.ts';
import { idOf, type Visit } from '../frame/visit.ts';
import { remarksIn, type HealthRemark } from '../live/health.ts';
import { figuresIn, type NodeFigures } from '../live/node-figures.ts';
import { devicesOf, runOf, type PlacedDevice } from './run-figures.ts';
import { sensorsOf, type TaskSensors } from './sensors-of.ts';
import { readPlace, type TaskPlace } from './task-place.ts';

/**
 * The data of a task's pages: all of them read it the same way, so that none shows more on a shared page than another.
 */
export interface TaskView {
  task: z.output<typeof taskDetail>;
  devices: readonly PlacedDevice[];
  node: NodeFigures;
  sensors: TaskSensors | null;
  place: TaskPlace;
  judgement: Judgement;
  remarks: readonly HealthRemark[];
  /**
   * Peer bands of the figures of its devices. The first read for a model takes a second or two: only the parts that
   * show them wait for it.
   */
  readBands: () => Promise<readonly PeerBand[]>;
}

/** The task named by the path, if the visitor may see it. Throws `not_found`. */
export async function readTask(visit: Visit): Promise<TaskView> {
  const { context, params, shared } = visit;
  const taskId = idOf(params['id']);
  const task = taskDetail.parse(await getTask(context, { taskId, displayNames: false }));
  const place = await readPlace(visit, taskId);
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
  return {
    task,
    place,
    devices,
    node,
    sensors,
    judgement: knownOfTask(place.stored) ?? nodeJudgement(null),
    remarks: remarksIn(results),
    readBands,
  };
}

/** What findings call the devices of one machine. */
export const placeNames = (devices: readonly PlacedDevice[]): PlaceNames =>
  ofOneNode(devices.length, areProcessors(devices));

const areProcessors = (devices: readonly PlacedDevice[]): boolean =>
  devices.length > 0 && devices.every(({ vendor }) => vendor === 'cpu');

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
