import type { z } from 'zod';
import type { networkReportRequest, networkReportResponse, NetworkReport } from '../contract/network-protocol.ts';
import type { Context } from '../platform/context.ts';
import type { Secret } from '../lifecycle/session.ts';
import { callerSeat } from './seated-calls.ts';
import { storeCollective } from './reports/store-collective.ts';
import { storeSlots } from './reports/store-slots.ts';
import type { RunKey } from './run-row.ts';
import type { RunWatch } from './watch/run-watch.ts';
import { readRun, shareRun, makeDueWhenDialled } from './queries/runs.ts';
import { type StoredDial, lockDials, updateDials } from './queries/seats.ts';
import { parseDialId } from './slot-key.ts';

export interface Reporter {
  context: Context;
  key: RunKey;
  node: number;
}

/** Ids of refused reports, with the reason; all others are stored, or were stored before. */
export type Refused = Map<string, string>;

/**
 * Stores reports; answers when they are durable. A repeated report changes nothing, and one from a lost node or for an
 * old plan counts like any other while the run lasts; after its end reports are acknowledged and ignored.
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

type DialReport = Extract<NetworkReport, { kind: 'dial' }>;

/** Stores the results of a node's dials with its seat until the preflight is judged; later ones are ignored. */
async function storeDials(
  { context, key, node }: Reporter,
  reports: readonly DialReport[],
): Promise<{ refused: Refused; news: boolean }> {
  const refused: Refused = new Map();
  if (reports.length === 0) return { refused, news: false };
  const run = await readRun(context.sql, key);
  const dialled: StoredDial[] = [];
  for (const { id, status, address, connect_us, code } of reports) {
    const dial = parseDialId(id);
    if (dial?.from !== node || dial.to === node || dial.to >= (run?.nodes_joined ?? 0))
      refused.set(id, 'no dial of this node has that id');
    else if (dial.turn === (run?.plan?.turn ?? 1)) dialled.push({ node: dial.to, status, address, connect_us, code });
  }
  if (run?.state !== 'preflight' || dialled.length === 0) return { refused, news: false };
  const isStored = await context.sql.begin(async (tx) => {
    // The process that judges the preflight holds the run's lock: from then on the dials, which all processes compute
    // from, are fixed.
    if (!(await shareRun(tx, key, run))) return false;
    const known = new Map((await lockDials(tx, key, node)).map((dial) => [dial.node, dial]));
    for (const dial of dialled) if (known.get(dial.node)?.status !== 'ok') known.set(dial.node, dial);
    await updateDials(tx, key, node, [...known.values()]);
    return true;
  });
  if (!isStored) return { refused, news: false };
  // After the commit, so that if two nodes finish at the same time, the later one sees both.
  const news = await makeDueWhenDialled(context.sql, key, run.sequence);
  return { refused, news };
}
