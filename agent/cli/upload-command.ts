import { deliverSpool } from '../session/deliver-spool.ts';
import type { SpoolReport } from '../session/deliver-spool.ts';
import { sessionLimits } from '../session/session-limits.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { Spool } from '../session/spool/spool.ts';
import { stateDirectory } from '../setup/private-directory.ts';
import { exitCodes } from './exit-error.ts';
import type { Host } from './host.ts';
import type { ParsedFlags } from './options.ts';

/** `upload`: delivers what waits, tells how much, and ends with 0, 4 (some refused) or 7 (some undelivered). */
export async function upload(host: Host, flags: ParsedFlags, limits: SessionLimits = sessionLimits): Promise<number> {
  host.outliveOutput();
  const spool = new Spool(stateDirectory(host));
  const override = flags.coordinator ?? host.env['GPUMARK_COORDINATOR'] ?? null;
  const report = await deliverSpool(host, spool, override, limits);
  const code = report.left > 0 ? exitCodes.unreachable : report.quarantined > 0 ? exitCodes.refused : exitCodes.ok;
  if (flags.json === true) host.stdout.write(`${JSON.stringify({ type: 'upload', ...report, exit_code: code })}\n`);
  else host.stdout.write(`${reportText(report, spool.directory)}\n`);
  return code;
}

function reportText(report: SpoolReport, directory: string): string {
  const { delivered, duplicates, quarantined, left } = report;
  if (delivered + quarantined + left === 0) return `Nothing waits in ${directory}.`;
  const parts = [
    `${delivered} delivered${duplicates > 0 ? ` (${duplicates} of them known to the coordinator already)` : ''}`,
  ];
  if (quarantined > 0) parts.push(`${quarantined} refused and kept in ${directory}/quarantine`);
  if (left > 0) parts.push(`${left} still in ${directory}`);
  return `${parts.join(', ')}.`;
}
