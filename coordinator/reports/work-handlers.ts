import type { WorkHandler } from '../platform/work-queue/run-work-queue.ts';
import type { WorkKind } from '../platform/work-queue/work-item.ts';
import { renderReport } from './render-report.ts';

/** What the work queue runs, by kind. */
export const workHandlers: Record<WorkKind, WorkHandler> = { job_report: renderReport, task_report: renderReport };
