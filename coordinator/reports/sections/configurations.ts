import { printBytes, printCount } from '../facts/print-number.ts';
import type { NodeSummary } from '../facts/node-summary.ts';
import { heading, note } from '../layout/blocks.ts';
import type { Paper } from '../layout/paper.ts';
import { table } from '../layout/table.ts';

const MAX_CONFIGURATIONS = 16;

/** The inventories of a job's nodes, equal configurations in one row. */
export function configurationsSection(paper: Paper, nodes: NodeSummary[]): void {
  const groups = Map.groupBy(
    nodes.filter(({ node }) => node.inventory !== null),
    ({ node }) => node.inventory?.config_id ?? '',
  );
  if (groups.size === 0 || !heading(paper, 'Inventory by configuration', 60)) return;
  const sorted = [...groups].toSorted(([, a], [, b]) => b.length - a.length);
  table(
    paper,
    [
      { title: 'Configuration', share: 22 },
      { title: 'Nodes', share: 9, align: 'right' },
      { title: 'Devices', share: 26 },
      { title: 'Processor', share: 26 },
      { title: 'Memory', share: 12, align: 'right' },
      { title: 'Driver', share: 14 },
      { title: 'Agent', share: 18 },
    ],
    sorted.slice(0, MAX_CONFIGURATIONS).map(([config, members]) => {
      const [first] = members;
      const inventory = first?.node.inventory;
      return [
        config,
        String(members.length),
        first?.kind ?? '–',
        inventory?.cpu_info.processor_brand ?? '–',
        printBytes(inventory?.ram_info.total_memory),
        distinct(members.map(({ node }) => node.inventory?.gpu_info[0]?.driver_version ?? '–')),
        distinct(members.map(({ node }) => node.agentVersion)),
      ];
    }),
  );
  if (sorted.length > MAX_CONFIGURATIONS) {
    note(
      paper,
      `${printCount(sorted.length - MAX_CONFIGURATIONS, 'more configuration')} left out here; each node's report has its inventory.`,
    );
  }
}

const distinct = (values: string[]): string => [...new Set(values)].toSorted().join(', ');
