import type { Grade, RunFinding } from '../../contract/judgement.ts';
import { devicesOf, worstByPlace } from '../../figures/findings/verdict.ts';
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
  const counted = judgement.findings.filter(counts);
  const worst = worstByPlace(counted, (finding) => devicesOf(finding, job.node_count));
  return {
    of: (node, device) => {
      const id = nodes[node]?.id;
      const measured = id === undefined ? undefined : figures.get(id)?.devices[device];
      const isMeasured = measured !== undefined && measured.values.size > 0;
      return worst.get(`${node} ${device}`) ?? (isMeasured ? 'good' : 'not_measured');
    },
  };
}
