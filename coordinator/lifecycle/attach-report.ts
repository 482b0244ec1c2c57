import type { Queryable } from '../platform/db/client.ts';
import { setReport } from '../jobs/reports/queries.ts';

/** Puts a rendered report under its job or task; a newer one replaces it. False where the subject has been deleted. */
export const attachReport = (
  sql: Queryable,
  subject: { kind: 'job' | 'task'; id: string; artifactId: string },
): Promise<boolean> => setReport(sql, subject);
