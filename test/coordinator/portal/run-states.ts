import { renderReport } from '../../../coordinator/reports/render-report.ts';
import { makeJob, Node, type MadeJob } from '../jobs/node.ts';
import type { Device } from '../jobs/upload.ts';
import { completeCluster } from './large-cluster.ts';
import type { PageView } from './page-views.ts';
import { eightGpus, ofTier, type Person, type World } from './world.ts';

/** More nodes than are shown as cards, and than a matrix has rows: each of its cells is a block with a link. */
const NODES = 26;

/**
 * Pages of jobs that differ from the owner's finished one: running, ended without a node, failed with a report,
 * simulated, on processors, and large. They belong to a company of their own, so that the owner's lists stay as they are.
 */
export async function runStates({ app, person }: World): Promise<PageView[]> {
  const busy = await person('Busy Ltd', 'customer_admin');
  const view = (name: string, path: string, status = 200): PageView => ({
    name: `${name}.busy`,
    path,
    as: busy,
    status,
  });
  const job = (name: string, more: Record<string, unknown> = {}): Promise<MadeJob> =>
    makeJob(app, busy.user, { name, ...more });
  const measured = async (of: MadeJob, device: Device): Promise<Node> => {
    const node = new Node(app, of);
    await node.register();
    await node.results(node.result(ofTier(eightGpus(node.machineUuid, 0, device))));
    await node.complete();
    return node;
  };

  const running = new Node(app, await job('running', { node_count: 2 }));
  await running.register();
  await running.beat();
  const aborted = await job('aborted');
  await busy.it.post(`/jobs/${aborted.id}/abort`);
  const failed = new Node(app, await job('failed'));
  await failed.register();
  await failed.fail('failed');
  await makeReport({ app, busy }, failed.job);
  const simulated = await measured(await job('simulated'), { simulated: true });
  const processors = await measured(await job('processors'), { model: 'AMD EPYC 9654', vendor: 'cpu' });
  const large = await job('large', { benchmarks: ['quick_mark', 'cluster_network'], node_count: NODES });
  await completeCluster(app, {
    node: new Node(app, large),
    customerId: busy.user.customerId,
    nodes: NODES,
    // Of a model that nobody else has, so that the band around the owner's figures stays the same.
    device: { model: 'NVIDIA L40S' },
    // From slow to fast, so that cells have each colour.
    link: (source, target) => ({ forward: 14 + ((source * 5 + target) % 12), reverse: 20, verdict: 'good' }),
  });
  const runs = { running, failed, simulated, processors };
  return [
    ...Object.entries(runs).flatMap(([name, node]) => [
      view(`jobs-${name}`, `/jobs/${node.job.id}`),
      view(`tasks-${name}`, `/tasks/${node.taskId}`),
    ]),
    view('jobs-running-delete', `/jobs/${running.job.id}/delete`),
    view('jobs-aborted', `/jobs/${aborted.id}`),
    view('jobs-aborted-abort', `/jobs/${aborted.id}/abort`),
    view('jobs-aborted-start', `/jobs/${aborted.id}/start`),
    view('jobs-large', `/jobs/${large.id}`),
    view('machines-simulated', `/machines/${simulated.machineUuid}`),
    view('jobs-states', '/jobs'),
    view('machines-states', '/machines'),
    view('compare-unlike', `/compare?items=job:${simulated.job.id},job:${processors.job.id}`),
  ];
}

type Place = Pick<World, 'app'> & { busy: Person };

/** As the work queue does it. */
async function makeReport({ app, busy }: Place, { id }: MadeJob): Promise<void> {
  const { customerId } = busy.user;
  const work = { id: '1', kind: 'job_report', subject_id: id, customer_id: customerId } as const;
  await renderReport(app.context, { ...work, attempts: 1, error: null });
  await app.platform.sql`
    update work_item set state = 'done', finished_at = ${app.clock.now()} where kind = 'job_report' and subject_id = ${id}`;
}
