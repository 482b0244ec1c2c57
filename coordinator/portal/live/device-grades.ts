import type { Grade, RunFinding } from '../../contract/judgement.ts';
import type { JobView } from './job-view.ts';

export interface Grades {
  of: (node: number, device: number) => Grade;
}

/**
 * The grade of each device by its worst finding, or by those of some figures only. A device without any is good if it was
 * measured; a finding of a whole node marks no device.
 */
export function deviceGrades(
  { nodes, figures, judgement, job }: Pick<JobView, 'nodes' | 'figures' | 'judgement' | 'job'>,
  counts: (finding: RunFinding) => boolean = () => true,
): Grades {
  const worst = new Map<string, 'bad' | 'check'>();
  for (const finding of judgement.findings) {
    if (!counts(finding)) continue;
    const of = finding.nodes.length === 0 && job.node_count === 1 ? [0] : finding.nodes;
    for (const node of of)
      for (const device of finding.devices) {
        const key = `${node} ${device}`;
        if (worst.get(key) !== 'bad') worst.set(key, finding.grade);
      }
  }
  return {
    of: (node, device) => {
      const id = nodes[node]?.id;
      const measured = id === undefined ? undefined : figures.get(id)?.devices[device];
      const isMeasured = measured !== undefined && measured.values.size > 0;
      return worst.get(`${node} ${device}`) ?? (isMeasured ? 'good' : 'not_measured');
    },
  };
}
