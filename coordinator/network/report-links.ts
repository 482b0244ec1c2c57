import type { z } from 'zod';
import type { networkReportRequest, networkReportResponse, NetworkReport } from '../contract/network-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Secret } from '../lifecycle/task-secret.ts';
import { callerSeat } from './caller-seat.ts';
import { storeCollective } from './reports/store-collective.ts';
import { storeDials } from './reports/store-dials.ts';
import { storeSlots } from './reports/store-slots.ts';
import type { RunKey } from './run-row.ts';
import type { RunWatch } from './watch/run-watch.ts';

export interface Reporter {
  context: Context;
  key: RunKey;
  node: number;
}

/** Ids of reports that were not taken, with the reason; all others are stored, or were before. */
export type Refused = Map<string, string>;

/**
 * Takes reports; answered when they are durable. The same report twice changes nothing, and one of a lost node or of an
 * old plan counts like any other while the run goes on; after its end they are acknowledged and change nothing.
 */
export async function reportLinks(
  context: Context,
  input: z.output<typeof networkReportRequest> & Secret,
  watch: RunWatch,
): Promise<z.input<typeof networkReportResponse>> {
  const { key, node } = await callerSeat(context, input);
  watch.heard(key, node);
  const reporter = { context, key, node };
  const { dial = [], slot = [], unique_id = [], collective = [] } = byKind(input.reports);
  const stored = [
    await storeDials(reporter, dial),
    await storeSlots(reporter, slot),
    await storeCollective(reporter, [...unique_id, ...collective]),
  ];
  if (stored.some(({ news }) => news)) watch.look(key);
  const refused = new Map(stored.flatMap((part) => [...part.refused]));
  return {
    acked: input.reports.map(({ id }) => id).filter((id) => !refused.has(id)),
    refused: [...refused].map(([id, reason]) => ({ id, reason })),
  };
}

type OfKind = { [K in NetworkReport['kind']]?: Extract<NetworkReport, { kind: K }>[] };

function byKind(reports: readonly NetworkReport[]): OfKind {
  const kinds: Required<OfKind> = { dial: [], slot: [], unique_id: [], collective: [] };
  for (const report of reports) {
    if (report.kind === 'dial') kinds.dial.push(report);
    else if (report.kind === 'slot') kinds.slot.push(report);
    else if (report.kind === 'unique_id') kinds.unique_id.push(report);
    else kinds.collective.push(report);
  }
  return kinds;
}
