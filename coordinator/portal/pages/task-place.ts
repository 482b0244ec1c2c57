import type { StoredTask } from '../../figures/findings/task-judgement.ts';
import { visibleCustomer } from '../../platform/actor.ts';
import { notFound } from '../../platform/errors.ts';
import { named } from '../frame/html.ts';
import type { Visit } from '../frame/visit.ts';
import { findNode } from '../queries/job-page.ts';

/** What a task's pages call the machine and its job: shared pages have the number of the node, and no name. */
export interface TaskPlace {
  name: string;
  jobId: string;
  jobName: string;
  stored: StoredTask;
}

/** Throws `not_found`, also for another customer's task. */
export async function readPlace(
  { context, shared }: Pick<Visit, 'context' | 'shared'>,
  taskId: string,
): Promise<TaskPlace> {
  const found = await findNode(context.sql, { taskId, customerId: visibleCustomer(context.actor) });
  if (found === null) throw notFound('Task');
  const { hostname, machine_uuid: uuid, node, job_id: jobId, job_name: jobName, ...stored } = found;
  return shared === null
    ? { name: named(hostname ?? uuid), jobId, jobName: named(jobName), stored }
    : { name: `node ${node}`, jobId, jobName: 'A shared job', stored };
}

/** Breadcrumbs of a task's pages: the list of jobs, unless the page is shared, and the task's job. */
export const jobCrumbs = (
  { shared, base }: Pick<Visit, 'shared' | 'base'>,
  { jobId, jobName }: TaskPlace,
): { href: string; label: string }[] => [
  ...(shared ? [] : [{ href: '/jobs', label: 'Jobs' }]),
  { href: `${base}/jobs/${jobId}`, label: jobName },
];

/** The same, and the task, for the pages below it. */
export const taskCrumbs = (
  visit: Pick<Visit, 'shared' | 'base' | 'params'>,
  place: TaskPlace,
): { href: string; label: string }[] => [
  ...jobCrumbs(visit, place),
  { href: `${visit.base}/tasks/${visit.params['id'] ?? ''}`, label: place.name },
];
