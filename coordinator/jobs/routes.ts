import { clusterNetworkResults } from '../contract/cluster-network.ts';
import {
  abortJobRoute,
  createJobRoute,
  deleteJobRoute,
  getJobRoute,
  jobResultsRoute,
  jobStatsRoute,
  jobTagsRoute,
  listJobsRoute,
} from '../contract/job-routes.ts';
import { listLinksRoute } from '../contract/network-link-routes.ts';
import { getTaskRoute, listTasksRoute } from '../contract/task.ts';
import { listLinks } from '../network/results/list-links.ts';
import type { Platform } from '../platform/context.ts';
import { type Area, createArea, reply } from '../platform/http/area.ts';
import { abortJob } from './abort-job.ts';
import { createJob } from './create-job.ts';
import { deleteJob } from './delete-job.ts';
import { getJob, jobResults } from './get-job.ts';
import { jobStats, listJobs, jobTags } from './list-jobs.ts';
import { getTask } from './tasks/get-task.ts';
import { listTasks } from './tasks/list-tasks.ts';

/** The operations on jobs and tasks for customers, in the dialect `error`. */
export function jobsArea(platform: Platform): Area {
  const area = createArea(platform, 'error');
  // Results of benchmarks are open objects in the operations; the fields and definitions of this one are registered separately.
  // A copy, because a schema made before the OpenAPI extension of zod was loaded lacks its methods.
  area.app.openAPIRegistry.register('ClusterNetworkResults', clusterNetworkResults.clone());
  area.on(createJobRoute, async (context, { body, headers }) => {
    const { job, replayed } = await createJob(context, body, headers['idempotency-key']);
    return reply(201, job, replayed ? { 'Idempotency-Replayed': 'true' } : {});
  });
  area.on(listJobsRoute, (context, { query }) => listJobs(context, query));
  area.on(jobTagsRoute, (context) => jobTags(context));
  area.on(jobStatsRoute, (context, { query }) => jobStats(context, query));
  area.on(abortJobRoute, (context, { body }) => abortJob(context, body.id));
  area.on(deleteJobRoute, (context, { body }) => deleteJob(context, body.id));
  area.on(getJobRoute, (context, { params }) => getJob(context, params.job_id));
  area.on(jobResultsRoute, (context, { params, query }) =>
    jobResults(context, { jobId: params.job_id, displayNames: query.include_display_names }),
  );
  area.on(listLinksRoute, (context, { params, query }) => listLinks(context, params.job_id, query));
  bindTasks(area);
  return area;
}

function bindTasks(area: Area): void {
  area.on(listTasksRoute, (context, { query }) => listTasks(context, query));
  area.on(getTaskRoute, (context, { params, query }) =>
    getTask(context, { taskId: params.task_id, displayNames: query.include_display_name }),
  );
}
