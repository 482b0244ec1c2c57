import { agentProtocolVersion } from '../../coordinator/contract/agent-protocol.ts';
import type { Host } from '../run/host.ts';
import { AnswerError, isPassing, refusal } from '../client/call-errors.ts';
import type { CoordinatorClient } from '../client/coordinator-client.ts';
import { openClient } from '../client/open-client.ts';
import type { Proxies } from '../run/run-options.ts';
import { passingTrouble } from '../client/retry.ts';
import type { SessionLimits } from '../run/session-limits.ts';
import { deliverEntry } from './deliver-entry.ts';
import type { Delivery, TaskOfEntry } from './deliver-entry.ts';
import type { Spool } from '../state/spool.ts';
import type { SpoolEntry } from '../state/spool-entry.ts';
import { warnOfPlainHttp } from '../client/warn-of-plain-http.ts';

export interface SpoolReport {
  delivered: number;
  /** Among the delivered: those that the coordinator already had. */
  duplicates: number;
  /** Refused permanently, or damaged: kept in quarantine. */
  quarantined: number;
  /** Not delivered: still waiting. */
  left: number;
}

/** See ConnectionOptions. */
interface Route {
  ca: string | null;
  proxies: Proxies;
}

/** Delivers every waiting result, oldest first. A coordinator that is down does not block results for another. */
export async function deliverSpool(
  host: Host,
  spool: Spool,
  { coordinator, ca, proxies }: Route & { coordinator: string | null },
  limits: SessionLimits,
): Promise<SpoolReport> {
  const report: SpoolReport = { delivered: 0, duplicates: 0, quarantined: 0, left: 0 };
  const down = new Set<string>();
  const met = new Set<string>();
  for (const path of spool.waiting()) {
    const entry = spool.read(path);
    if (entry === 'gone') continue;
    if (entry === 'damaged') {
      setAside(host, spool, path, 'damaged, set aside', report);
      continue;
    }
    const where = coordinator ?? entry.coordinator;
    if (!met.has(where)) {
      met.add(where);
      await warnOfPlainHttp(host.clock, where, ({ message, remedy }) =>
        host.stderr.write(`${message}\n  ${remedy ?? ''}\n`),
      );
    }
    if (down.has(where)) report.left += 1;
    else await deliverFile(host, spool, path, { ...entry, coordinator: where, ca, proxies }, limits, report, down);
  }
  return report;
}

async function deliverFile(
  host: Host,
  spool: Spool,
  path: string,
  entry: SpoolEntry & Route,
  limits: SessionLimits,
  report: SpoolReport,
  down: Set<string>,
): Promise<void> {
  try {
    const delivery = await deliver(host, entry, limits);
    spool.remove(path);
    report.delivered += 1;
    report.duplicates += delivery.duplicate ? 1 : 0;
    host.stderr.write(
      `delivered ${entry.result.benchmark_id} to job ${delivery.job_id}, which is ${delivery.job_state}${
        delivery.kept_aside ? '; it is kept aside there, since another result of this machine counts' : ''
      }\n`,
    );
  } catch (error) {
    const { message, remedy } = refusal(error, entry.coordinator);
    if (error instanceof AnswerError && !isPassing(error) && error.code !== 'MACHINE_ALREADY_ACTIVE') {
      setAside(host, spool, path, `${message}${remedy === null ? '' : `. ${remedy}`}`, report);
    } else {
      report.left += 1;
      down.add(entry.coordinator);
      host.stderr.write(`${path}: ${message}\n${remedy === null ? '' : `  ${remedy}\n`}`);
    }
  }
}

function setAside(host: Host, spool: Spool, path: string, why: string, report: SpoolReport): void {
  const kept = spool.quarantine(path);
  if (kept === null) return;
  report.quarantined += 1;
  host.stderr.write(`${kept}: ${why}\n`);
}

async function deliver(host: Host, entry: SpoolEntry & Route, limits: SessionLimits): Promise<Delivery> {
  const { coordinator, token, ca, proxies } = entry;
  const client = openClient(host, limits, { coordinator, token, trace_id: host.random.hex(16), ca, proxies });
  try {
    return await deliverEntry(client, entry, entry.task ?? (await joinLate(client, entry, limits)), limits.delivery_ms);
  } finally {
    await client.connection.close();
  }
}

/**
 * A result measured offline does not belong to a task yet. With the session's id a second attempt finds the same task.
 */
async function joinLate(client: CoordinatorClient, entry: SpoolEntry, limits: SessionLimits): Promise<TaskOfEntry> {
  const body = { ...entry.registrant, protocol_version: agentProtocolVersion } as const;
  const { job, task_id, epoch, task_secret } = await client.register(
    body,
    passingTrouble(limits.delivery_ms),
    undefined,
  );
  return { job_id: job.id, task_id, epoch, task_secret };
}
