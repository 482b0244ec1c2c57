import type { Context } from '../context.ts';

/** Lifetime of a link to a report in seconds: long enough to read a page and click, too short to be worth sharing. */
const LINK_SECONDS = 3600;

/** A signed, expiring link to the rendered report; null until it is rendered. */
export async function reportUrl(
  { artifacts }: Pick<Context, 'artifacts'>,
  { report_key, report_file_name }: { report_key: string | null; report_file_name: string | null },
): Promise<string | null> {
  if (report_key === null) return null;
  return artifacts.signedUrl(report_key, { fileName: report_file_name ?? 'report.pdf', lifetimeSeconds: LINK_SECONDS });
}
