import type { z } from 'zod';
import type { currentJobResponse } from '../../contract/agent-protocol.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { jobOfToken } from '../caller.ts';
import { findJob } from '../queries.ts';
import { reportUrl } from '../report-url.ts';
import { selectTasksOfJob } from '../tasks/queries.ts';
import { agentJobOf } from './agent-job.ts';

/** The job of the calling token, its tasks and, once rendered, the reports. */
export async function currentJob(context: Context): Promise<z.input<typeof currentJobResponse>> {
  const { jobId, customerId } = jobOfToken(context.actor);
  const job = await findJob(context.sql, { id: jobId, customerId });
  if (!job) throw notFound('Job');
  const tasks = await selectTasksOfJob(context.sql, { jobId, customerId });
  return {
    ...agentJobOf(job),
    tasks: await Promise.all(
      tasks.map(async (task) => ({
        id: task.id,
        machine_uuid: task.machine_uuid,
        state: task.state,
        pdf_report_url: await reportUrl(context, task),
      })),
    ),
    pdf_report_url: await reportUrl(context, job),
  };
}
