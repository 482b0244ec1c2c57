import { deliverSpool } from '../session/deliver-spool.ts';
import type { SpoolReport } from '../session/deliver-spool.ts';
import { givenUrl } from '../client/job-token.ts';
import { sessionLimits } from '../run/session-limits.ts';
import type { SessionLimits } from '../run/session-limits.ts';
import { Spool } from '../state/spool.ts';
import { stateDirectory } from '../state/private-directory.ts';
import { readCertificates } from './certificates.ts';
import { exitCodes } from '../run/exit-error.ts';
import type { Host } from '../run/host.ts';
import { givenCoordinator, givenProxies } from './options.ts';
import type { ParsedFlags } from './options.ts';

/**
 * `upload`: delivers the waiting results, prints their number, and ends with 0, 4 (some refused) or 7 (some
 * undelivered). With `--quarantined` it retries those refused before.
 * @throws ExitError usage for an address that is not a URL
 */
export async function upload(host: Host, flags: UploadFlags, limits: SessionLimits = sessionLimits): Promise<number> {
  host.outliveOutput();
  const spool = new Spool(stateDirectory(host));
  const given = givenCoordinator(host, flags);
  const coordinator = given === null ? null : givenUrl(given);
  if (flags.quarantined === true) spool.releaseQuarantine();
  const ca = readCertificates(host, flags);
  const report = await deliverSpool(host, spool, { coordinator, ca, proxies: givenProxies(host, flags) }, limits);
  const code = report.left > 0 ? exitCodes.unreachable : report.quarantined > 0 ? exitCodes.refused : exitCodes.ok;
  if (flags.json === true) host.stdout.write(`${JSON.stringify({ type: 'upload', ...report, exit_code: code })}\n`);
  else host.stdout.write(`${reportText(report, spool.directory)}\n`);
  return code;
}

interface UploadFlags extends Pick<ParsedFlags, 'ca' | 'coordinator' | 'json' | 'proxy'> {
  quarantined?: boolean;
}

function reportText(report: SpoolReport, directory: string): string {
  const { delivered, duplicates, quarantined, left } = report;
  if (delivered + quarantined + left === 0) return `Nothing waits in ${directory}.`;
  const parts = [
    `${delivered} delivered${duplicates > 0 ? ` (${duplicates} of them known to the coordinator already)` : ''}`,
  ];
  if (quarantined > 0)
    parts.push(
      `${quarantined} refused and kept in ${directory}/quarantine (again with: gpumark-agent upload --quarantined)`,
    );
  if (left > 0) parts.push(`${left} still in ${directory}`);
  return `${parts.join(', ')}.`;
}
