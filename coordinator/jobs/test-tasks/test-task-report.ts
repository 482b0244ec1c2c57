import { visibleCustomer } from '../../platform/actor.ts';
import type { Context } from '../../platform/context.ts';
import { notFound } from '../../platform/errors.ts';
import { reportUrl } from '../../platform/artifacts/report-url.ts';
import { findTask } from '../tasks/queries.ts';
import { findTestTask } from './queries.ts';

/** Link to the report of a job's task; null for a test task, which has none, and until the report is rendered. */
export async function testTaskReport(context: Context, id: string): Promise<{ pdf_report_url: string | null }> {
  const customerId = visibleCustomer(context.actor);
  const task = await findTask(context.sql, { id, customerId });
  if (task) return { pdf_report_url: await reportUrl(context, task) };
  if (await findTestTask(context.sql, { id, customerId, machineUuid: null })) return { pdf_report_url: null };
  throw notFound('Task');
}
