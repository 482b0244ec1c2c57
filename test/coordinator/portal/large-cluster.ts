import { summariseRun } from '../../../coordinator/network/results/summarise-run.ts';
import type { TestApp } from '../../support/app.ts';
import type { Node } from '../jobs/node.ts';
import { madeLink, madeNodes, runFacts } from '../network/results/made-run.ts';
import { storeRun } from '../network/results/stored-run.ts';
import { copyNode } from './copied-rows.ts';
import { eightGpus, ofTier } from './world.ts';

interface Cluster {
  /** the one node that registers; the others are copies of its rows */
  node: Node;
  customerId: string;
  nodes: number;
  /** as of `eightGpus` */
  device?: Parameters<typeof eightGpus>[2];
  /** of a pair, the lower seat first; null: it has no link */
  link: (source: number, target: number) => Omit<Parameters<typeof madeLink>[1], 'source' | 'target'> | null;
}

/** Completes a job of many nodes of eight devices, with the links between them. */
export async function completeCluster(
  app: TestApp,
  { node, customerId, nodes: count, device, link }: Cluster,
): Promise<void> {
  const { sql } = app.platform;
  const { id: jobId } = node.job;
  await node.register();
  await node.results(node.result(ofTier(eightGpus(node.machineUuid, 0, device))));
  await node.complete(['GPU 3: spread of bf16 above 10 %: other work on it or unsteady clocks']);
  await copyNode(sql, jobId, count - 1);
  const machines = await sql<{ machine_uuid: string; hostname: string }[]>`
    select machine_uuid, hostname from task where job_id = ${jobId} order by id`;
  const nodes = madeNodes(count, [...machines]);
  const links = nodes.flatMap(({ node: target }) =>
    nodes.slice(0, target).flatMap(({ node: source }) => {
      const given = link(source, target);
      return given === null ? [] : [madeLink(count, { source, target, ...given })];
    }),
  );
  const run = runFacts({ nodes_expected: count });
  const summary = summariseRun({ run, nodes, links, judgement: null, reach: null, collective: null });
  await storeRun(app, { jobId, customerId, item: 1, nodes, links, summary });
}
